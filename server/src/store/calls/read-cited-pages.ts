import { setImmediate as nextTurn } from 'node:timers/promises'
import { elementAt } from '#lib/arrays.ts'
import type { Db } from '#store/db.ts'
import { citingCallsAfter, readCitations } from './write-calls.ts'
import { foldedUntil, hashUrl, pageKey, nextPeriod, readPageCounts } from './fold-citations.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 500
/** Attempts to read between two folds. Calls are folded once a minute, within milliseconds unless there are very many. */
const READS = 5

type Which = { serverId: string; sinceDay: number; sourceId?: string }
type Recent = { sourceId: string; url: string; title: string; lastCitedAt: number; days: Map<number, number> }

/** Pages cited since a day, most citations first, with days from 1970 (UTC), and their number. Reads stored counts and the newest log. */
export async function readCitedPages(
  db: Db,
  which: Which,
  { offset, limit, withDays }: { offset: number; limit: number; withDays: boolean },
) {
  const { recent, folded, days: byDay } = await readOnce(db, which, withDays)
  const ids = await idsOf(db, recent)
  const totals = sumCounts(folded)
  for (const [key, page] of recent) {
    const id = ids.get(key) ?? key
    totals.set(
      id,
      page.days.values().reduce((sum, count) => sum + count, totals.get(id) ?? 0),
    )
  }
  const listed = [...totals].toSorted(([a, most], [b, more]) => more - most || (String(a) < String(b) ? -1 : 1))
  const chosen = listed.slice(offset, offset + limit).map(([key]) => key)
  const stored = await storedPages(
    db,
    chosen.filter((key) => typeof key === 'number'),
  )
  const daysOf = withDays ? pickDays(byDay, new Set(chosen)) : null
  const keys = new Map([...ids].map(([key, id]) => [id, key]))
  const pages = chosen.flatMap((key) => {
    const late = recent.get(typeof key === 'number' ? (keys.get(key) ?? '') : key)
    const page = typeof key === 'number' ? stored.get(key) : late
    if (!page) return []
    const days = new Map(daysOf && late?.days)
    for (const { day, citations } of daysOf?.get(key) ?? []) days.set(day, (days.get(day) ?? 0) + citations)
    const { sourceId, url } = page
    const { title, lastCitedAt } = late && late.lastCitedAt >= page.lastCitedAt ? late : page
    return [{ sourceId, url, title, lastCitedAt, citations: totals.get(key) ?? 0, days: inOrder(days) }]
  })
  return { pages, total: listed.length }
}

/** Citations of the log and the stored counts. Reads again after a fold in between, which would be in both. */
async function readOnce(db: Db, which: Which, withDays: boolean) {
  for (let tries = READS; ; tries--) {
    const until = await foldedUntil(db)
    const recent = await recentPages(db, which, until)
    const folded = await foldedSums(db, which)
    const days = withDays ? await foldedRows(db, 'pageDays', which) : []
    if (tries <= 1 || (await foldedUntil(db)) === until) return { recent, folded, days }
  }
}

/** Citations by page. */
function sumCounts(folded: readonly Folded[]): Map<number | string, number> {
  const places = new Map<number, number>()
  const sums: number[] = []
  for (const { counts } of folded) {
    const flat = readPageCounts(counts)
    for (let n = 0; n + 1 < flat.length; n += 2) {
      const id = elementAt(flat, n)
      const count = elementAt(flat, n + 1)
      const place = places.get(id)
      if (place === undefined) places.set(id, sums.push(count) - 1)
      else sums[place] = elementAt(sums, place) + count
    }
  }
  return new Map([...places].map(([id, place]) => [id, elementAt(sums, place)]))
}

/** The citations by day of the chosen pages. */
function pickDays(folded: readonly Folded[], chosen: ReadonlySet<number | string>) {
  const picked = new Map<number | string, { day: number; citations: number }[]>()
  for (const { day, counts } of folded) {
    const flat = readPageCounts(counts)
    for (let n = 0; n + 1 < flat.length; n += 2) {
      const id = elementAt(flat, n)
      if (!chosen.has(id)) continue
      const days = picked.get(id) ?? []
      days.push({ day, citations: elementAt(flat, n + 1) })
      picked.set(id, days)
    }
  }
  return picked
}

const inOrder = (days: ReadonlyMap<number, number>) =>
  [...days].toSorted(([a], [b]) => a - b).map(([day, citations]) => ({ day, citations }))

/** Counts of pages on a day or in a period, as stored. A year can have a million: one is parsed at a time. */
type Folded = { day: number; counts: string }

/** Counts that together have each day once: those of whole periods, and of the days before the first one. */
async function foldedSums(db: Db, which: Which): Promise<Folded[]> {
  const from = nextPeriod(which.sinceDay)
  const days = which.sinceDay < from ? await foldedRows(db, 'pageDays', { ...which, beforeDay: from }) : []
  return [...days, ...(await foldedRows(db, 'pagePeriods', { ...which, sinceDay: from }))]
}

/** Counts of pages by day, or by period. */
async function foldedRows(
  db: Db,
  table: 'pageDays' | 'pagePeriods',
  { serverId, sinceDay, beforeDay, sourceId }: Which & { beforeDay?: number },
): Promise<Folded[]> {
  const sources = db.selectFrom('sources').select('id').where('serverId', '=', serverId)
  let query = db
    .selectFrom(table)
    .select(['day', 'counts'])
    .where('sourceId', 'in', sourceId === undefined ? sources : sources.where('id', '=', sourceId))
    .where('day', '>=', sinceDay)
  if (beforeDay !== undefined) query = query.where('day', '<', beforeDay)
  return query.execute()
}

/** Pages that calls since `from` cite, by key. */
async function recentPages(db: Db, { serverId, sinceDay, sourceId }: Which, until: number) {
  const pages = new Map<string, Recent>()
  const from = Math.max(until, sinceDay * DAY_MS)
  for (let after = { at: from, seq: 0 }; ; await nextTurn()) {
    const calls = await citingCallsAfter(db, serverId, after, AT_ONCE)
    for (const { at, day, citations } of calls) {
      for (const cited of readCitations(citations)) {
        if (sourceId !== undefined && cited.sourceId !== sourceId) continue
        const { url, title } = cited
        const key = pageKey(cited.sourceId, url)
        const page = pages.get(key) ?? { sourceId: cited.sourceId, url, title, lastCitedAt: at, days: new Map() }
        page.days.set(day, (page.days.get(day) ?? 0) + 1)
        pages.set(key, { ...page, title, lastCitedAt: at })
      }
    }
    const last = calls.at(-1)
    if (calls.length < AT_ONCE || !last) return pages
    after = { at: last.at, seq: last.seq }
  }
}

/** The ids of pages that are stored, by key. */
async function idsOf(db: Db, pages: ReadonlyMap<string, Recent>): Promise<Map<string, number>> {
  const hashes = [...new Set([...pages.values()].map(({ url }) => hashUrl(url)))]
  const ids = new Map<string, number>()
  const sources = [...new Set([...pages.values()].map(({ sourceId }) => sourceId))]
  for (let from = 0; from < hashes.length; from += AT_ONCE) {
    const rows = await db
      .selectFrom('citedPages')
      .select(['id', 'sourceId', 'url'])
      .where('sourceId', 'in', sources)
      .where('hash', 'in', hashes.slice(from, from + AT_ONCE))
      .execute()
    for (const { id, sourceId, url } of rows) ids.set(pageKey(sourceId, url), id)
  }
  return ids
}

async function storedPages(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Omit<Recent, 'days'>>()
  const rows = await db.selectFrom('citedPages').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
