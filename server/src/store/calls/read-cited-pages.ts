import { setImmediate as nextTurn } from 'node:timers/promises'
import { elementAt } from '#lib/arrays.ts'
import type { Db } from '#store/db.ts'
import { pagesById, readReferences } from './cited-pages.ts'
import { foldedUntil, nextPeriod, readPageCounts } from './fold-citations.ts'
import { citingCallsAfter } from './read-calls.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const AT_ONCE = 500
/** Attempts to read between two folds. Calls are folded once a minute, within milliseconds unless there are very many. */
const READS = 5

type Which = { serverId: string; sinceDay: number; sourceId?: string }
/** Pages cited since a day, most citations first, with days from 1970 (UTC), and their number. Reads stored counts and the newest log. */
export async function readCitedPages(
  db: Db,
  which: Which,
  { offset, limit, withDays }: { offset: number; limit: number; withDays: boolean },
) {
  const { recent, folded, days: byDay } = await readOnce(db, which, withDays)
  const totals = sumCounts(folded)
  for (const [id, { days }] of recent)
    totals.set(
      id,
      days.values().reduce((sum, count) => sum + count, totals.get(id) ?? 0),
    )
  const listed = [...totals].toSorted(([a, most], [b, more]) => more - most || a - b)
  const chosen = listed.slice(offset, offset + limit)
  const ids = new Set(chosen.map(([id]) => id))
  const stored = await pagesById(db, ids)
  const daysOf = withDays ? pickDays(byDay, ids) : null
  const pages = chosen.flatMap(([id, citations]) => {
    const page = stored.get(id)
    if (!page) return []
    const late = recent.get(id)
    const days = new Map(daysOf && late?.days)
    for (const { day, citations: more } of daysOf?.get(id) ?? []) days.set(day, (days.get(day) ?? 0) + more)
    const { sourceId, url, title } = page
    const lastCitedAt = Math.max(page.lastCitedAt, late?.lastCitedAt ?? 0)
    return [{ sourceId, url, title, lastCitedAt, citations, days: inOrder(days) }]
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
function sumCounts(folded: readonly Folded[]): Map<number, number> {
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

function pickDays(folded: readonly Folded[], chosen: ReadonlySet<number>) {
  const picked = new Map<number, { day: number; citations: number }[]>()
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

/** Pages that calls since `until` cite, by id. */
async function recentPages(db: Db, { serverId, sinceDay, sourceId }: Which, until: number) {
  const pages = new Map<number, { lastCitedAt: number; days: Map<number, number> }>()
  for (let after = { at: Math.max(until, sinceDay * DAY_MS), seq: 0 }; ; await nextTurn()) {
    const calls = await citingCallsAfter(db, serverId, after, AT_ONCE)
    for (const { at, day, pageCitations } of calls) {
      for (const [id] of readReferences(pageCitations)) {
        const page = pages.get(id) ?? { lastCitedAt: at, days: new Map() }
        page.days.set(day, (page.days.get(day) ?? 0) + 1)
        pages.set(id, { ...page, lastCitedAt: at })
      }
    }
    const last = calls.at(-1)
    if (calls.length < AT_ONCE || !last) break
    after = last
  }
  // Others belong to sources that were deleted.
  const stored = await pagesById(db, pages.keys())
  const wanted = stored.values().filter((page) => sourceId === undefined || page.sourceId === sourceId)
  const ids = new Set(wanted.map(({ id }) => id))
  return new Map([...pages].filter(([id]) => ids.has(id)))
}
