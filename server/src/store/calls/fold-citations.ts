import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { findRow, insertNewRow, runsOnPostgres, saveRow, updateRows } from '#store/rows.ts'
import { presentIds } from '#store/engine/prepared.ts'
import { elementAt } from '#lib/arrays.ts'
import { type LoggedCitation, readCitations } from './write-calls.ts'

/** Calls per transaction: about 10 ms on SQLite, which blocks everything else. */
const AT_ONCE = 200
/** Pages per statement. */
const PAGES = 100

/** The only row. */
const ROW = 1

/** Locked until the transaction ends, so that the deletion of a source finds all of its counts. */
const presentSources = presentIds('sources', 'locked')

/** The fields of a call that citations need. */
export type CitingCall = { at: number; day: number; cited: readonly LoggedCitation[] }

/** Time before which the citations of calls are counted by page. */
export async function foldedUntil(db: Db): Promise<number> {
  return (await findRow(db, 'callFolds', { id: ROW }))?.foldedUntil ?? 0
}

/** Counts the citations of the next calls before `until`, oldest first. False if there are no more. */
export async function foldCitations(tx: Db, until: number): Promise<boolean> {
  const from = await lockFolds(tx)
  if (from >= until) return false
  const calls = tx.selectFrom('calls').select(['at', 'day', 'citations'])
  const next = await calls.where('at', '>=', from).where('at', '<', until).orderBy('at').limit(AT_ONCE).execute()
  const [first, last] = [next.at(0), next.at(-1)]
  const isEnd = next.length < AT_ONCE || !first || !last
  // The calls of the last millisecond may not all be among these, unless there is only one.
  const to = isEnd ? until : last.at > first.at ? last.at : last.at + 1
  const whole = !isEnd && last.at === first.at ? await calls.where('at', '=', first.at).execute() : next
  const folded = whole.filter(({ at }) => at < to)
  await addCitations(
    tx,
    folded.map(({ at, day, citations }) => ({ at, day, cited: readCitations(citations) })),
  )
  await updateRows(tx, 'callFolds', { id: ROW }, { foldedUntil: to })
  return !isEnd
}

/** Counts the citations of calls that are written late, in that transaction, except those that the next fold finds. */
export async function foldLateCalls(tx: Db, calls: readonly CitingCall[]): Promise<void> {
  const until = await lockFolds(tx)
  await addCitations(
    tx,
    calls.filter(({ at }) => at < until),
  )
}

async function lockFolds(tx: Db): Promise<number> {
  await insertNewRow(tx, 'callFolds', { id: ROW, foldedUntil: 0 })
  const row = tx.selectFrom('callFolds').select('foldedUntil').where('id', '=', ROW)
  return (await (runsOnPostgres(tx) ? row.forUpdate() : row).executeTakeFirstOrThrow()).foldedUntil
}

type Page = { sourceId: string; hash: string; url: string; title: string; lastCitedAt: number }

async function addCitations(tx: Db, calls: readonly CitingCall[]): Promise<void> {
  const all = calls.flatMap(({ at, day, cited }) => cited.map((one) => ({ ...one, at, day })))
  if (all.length === 0) return
  const present = await presentSources(tx, new Set(all.map(({ sourceId }) => sourceId)))
  const pages = new Map<string, Page>()
  const days = new Map<string, { sourceId: string; day: number; pages: Map<string, number> }>()
  for (const { sourceId, url, title, at, day } of all) {
    if (!present.has(sourceId)) continue
    const key = pageKey(sourceId, url)
    const known = pages.get(key)
    if (!known) pages.set(key, { sourceId, hash: hashUrl(url), url, title, lastCitedAt: at })
    else if (at >= known.lastCitedAt) pages.set(key, { ...known, title, lastCitedAt: at })
    const ofDay = days.get(`${sourceId} ${day}`) ?? { sourceId, day, pages: new Map<string, number>() }
    ofDay.pages.set(key, (ofDay.pages.get(key) ?? 0) + 1)
    days.set(`${sourceId} ${day}`, ofDay)
  }
  const ids = await savePages(tx, [...pages])
  for (const { sourceId, day, pages: counts } of days.values()) {
    const added = [...counts].map(([key, count]) => [idOf(ids, key), count] as const)
    await addPageDay(tx, { sourceId, day }, new Map(added))
  }
}

/** Saves the pages and returns their ids by key. */
async function savePages(tx: Db, pages: readonly (readonly [key: string, page: Page])[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (let from = 0; from < pages.length; from += PAGES) {
    const rows = await tx
      .insertInto('citedPages')
      .values(pages.slice(from, from + PAGES).map(([, page]) => page))
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
    for (const { id, sourceId, url } of rows) ids.set(pageKey(sourceId, url), id)
  }
  return ids
}

/** Citations by id of the page. */
type PageCounts = ReadonlyMap<number, number>

/** Adds citations of a day to its counts and to those of its period. */
export async function addPageDay(tx: Db, { sourceId, day }: { sourceId: string; day: number }, added: PageCounts) {
  const tables = { pageDays: day, pagePeriods: periodOf(day) }
  for (const table of ['pageDays', 'pagePeriods'] as const) {
    const key = { sourceId, day: tables[table] }
    const stored = await findRow(tx, table, key)
    const counts = JSON.stringify([...addPageCounts(stored ? readPageCounts(stored.counts) : [], added)].flat())
    await saveRow(tx, table, ['sourceId', 'day'], { ...key, counts })
  }
}

function idOf(ids: ReadonlyMap<string, number>, key: string): number {
  const id = ids.get(key)
  if (id === undefined) throw new Error('A cited page was not saved.')
  return id
}

/** An id has no line break. */
export const pageKey = (sourceId: string, url: string): string => `${sourceId}\n${url}`

/** A page's key in an index, whose entries are short. */
export const hashUrl = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 22)

/** Days of a period. A report reads a row for each whole period, and a row for each further day. */
const PERIOD_DAYS = 32

/** The first day of the period that a day belongs to. */
const periodOf = (day: number): number => day - (day % PERIOD_DAYS)

/** The first day of the first period that begins on a day or later. */
export const nextPeriod = (day: number): number => periodOf(day + PERIOD_DAYS - 1)

/** Stored counts: a flat JSON array, in which ids and counts alternate. It is fast to parse. */
export const readPageCounts = (stored: string): readonly number[] => JSON.parse(stored) as number[]

/** Adds counts to a flat array of them. */
function addPageCounts(flat: readonly number[], added: PageCounts): PageCounts {
  const counts = new Map(added)
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const id = elementAt(flat, at)
    counts.set(id, (counts.get(id) ?? 0) + elementAt(flat, at + 1))
  }
  return counts
}
