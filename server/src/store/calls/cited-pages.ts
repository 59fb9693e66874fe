import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import { presentIds } from '#store/engine/prepared.ts'
import { elementAt } from '#lib/arrays.ts'

export type LoggedCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

/** A page at the time of its last citation. */
type CitedPage = { sourceId: string; url: string; title: string; at: number }

/** Pages per statement. */
const PAGES = 100

/** Locked until the transaction ends, so that the deletion of a source finds all of its pages. */
export const lockSources = presentIds('sources', 'locked')

const pageKey = (sourceId: string, url: string): string => `${sourceId}\n${url}`

/** A page's key in an index, whose entries are short. */
export const hashUrl = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 22)

/** Saves pages of existing sources, with the last title of each, and returns their ids by source and address. */
export async function savePages(tx: Db, cited: readonly CitedPage[]): Promise<Map<string, number>> {
  const present = await lockSources(tx, new Set(cited.map(({ sourceId }) => sourceId)))
  const pages = new Map<string, CitedPage>()
  for (const page of cited) {
    const key = pageKey(page.sourceId, page.url)
    if (present.has(page.sourceId) && (pages.get(key)?.at ?? 0) <= page.at) pages.set(key, page)
  }
  // In a fixed order, so that nodes do not deadlock.
  const sorted = [...pages].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rows = sorted.map(([, { sourceId, url, title, at }]) => {
    return { sourceId, hash: hashUrl(url), url, title, lastCitedAt: at }
  })
  const ids = new Map<string, number>()
  for (let from = 0; from < rows.length; from += PAGES) {
    const saved = await tx
      .insertInto('citedPages')
      .values(rows.slice(from, from + PAGES))
      .onConflict((conflict) =>
        conflict.columns(['sourceId', 'hash']).doUpdateSet({
          title: sql<string>`case when excluded.last_cited_at >= cited_pages.last_cited_at
            then excluded.title else cited_pages.title end`,
          lastCitedAt: sql<number>`case when excluded.last_cited_at >= cited_pages.last_cited_at
            then excluded.last_cited_at else cited_pages.last_cited_at end`,
        }),
      )
      .returning(['id', 'sourceId', 'url'])
      .execute()
    for (const { id, sourceId, url } of saved) ids.set(pageKey(sourceId, url), id)
  }
  return ids
}

export type StoredPage = Omit<CitedPage, 'at'> & { id: number; lastCitedAt: number }

/** The pages with these ids, except those whose source was deleted. */
export async function pagesById(db: Db, ids: Iterable<number>): Promise<Map<number, StoredPage>> {
  const wanted = [...new Set(ids)]
  const pages = new Map<number, StoredPage>()
  for (let from = 0; from < wanted.length; from += PAGES) {
    const some = wanted.slice(from, from + PAGES)
    for (const page of await db.selectFrom('citedPages').selectAll().where('id', 'in', some).execute())
      pages.set(page.id, page)
  }
  return pages
}

/** Citations as they are stored: a flat array with three values for each. Ids of pages outlive changes of the pages. */
type Reference = readonly [pageId: number, rank: number, score: number]

export const writeReferences = (references: readonly Reference[]): string | null =>
  references.length === 0 ? null : JSON.stringify(references.flat())

export function readReferences(stored: string | null): Reference[] {
  const flat = stored === null ? [] : (JSON.parse(stored) as number[])
  return Array.from({ length: flat.length / 3 }, (_, n) => {
    return [elementAt(flat, n * 3), elementAt(flat, n * 3 + 1), elementAt(flat, n * 3 + 2)] as const
  })
}

/** References to pages that are saved. `idOf` has no id of a page whose source was deleted. */
export function referTo(
  cited: readonly LoggedCitation[],
  idOf: (citation: LoggedCitation) => number | undefined,
): Reference[] {
  return cited.flatMap((one) => {
    const id = idOf(one)
    return id === undefined ? [] : [[id, one.rank, one.score] as const]
  })
}

/** Adds to calls their citations, in the order of the answer. */
export async function withCitations<Call extends { pageCitations: string | null }>(db: Db, calls: readonly Call[]) {
  const references = calls.map(({ pageCitations }) => readReferences(pageCitations))
  const pages = await pagesById(
    db,
    references.flat().map(([id]) => id),
  )
  return calls.map(({ pageCitations: _, ...call }, n) => ({
    ...call,
    citations: elementAt(references, n).flatMap((one) => citationOf(pages, one)),
  }))
}

function citationOf(pages: ReadonlyMap<number, StoredPage>, [id, rank, score]: Reference): LoggedCitation[] {
  const page = pages.get(id)
  return page ? [{ sourceId: page.sourceId, url: page.url, title: page.title, rank, score }] : []
}

/** Characters of addresses and titles whose ids are kept. */
const KEPT_CHARACTERS = 4_000_000

/** Ids of the pages that calls cite, by what {@link citationKey} returns. */
export type PageIds = ReadonlyMap<string, number>

export const citationKey = ({ sourceId, url, title }: LoggedCitation): string => `${sourceId}\n${url}\n${title}`

/** Finds the ids of cited pages. Saves those that are new or have another title, before the calls that refer to them. */
export function createPageIds(): (
  store: Store,
  calls: readonly { at: number; cited: readonly LoggedCitation[] }[],
) => Promise<PageIds> {
  const known = new Map<string, number>()
  let characters = 0
  return async (store, calls) => {
    const ids = new Map<string, number>()
    const missing = new Map<string, CitedPage>()
    for (const { at, cited } of calls) {
      for (const one of cited) {
        const key = citationKey(one)
        const id = known.get(key)
        if (id === undefined) missing.set(key, { ...one, at })
        else ids.set(key, id)
      }
    }
    if (missing.size === 0) return ids
    const saved = await store.transaction((tx) => savePages(tx, [...missing.values()]))
    for (const [key, { sourceId, url }] of missing) {
      const id = saved.get(pageKey(sourceId, url))
      if (id === undefined) continue
      ids.set(key, id)
      known.set(key, id)
      characters += key.length
    }
    for (const key of known.keys()) {
      if (characters <= KEPT_CHARACTERS) break
      known.delete(key)
      characters -= key.length
    }
    return ids
  }
}
