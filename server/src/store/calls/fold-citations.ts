import type { Db } from '#store/db.ts'
import { findRow, insertNewRow, runsOnPostgres, saveRow, updateRows } from '#store/rows.ts'
import { elementAt } from '#lib/arrays.ts'
import { pagesById, readReferences, savePages } from './cited-pages.ts'

/** Calls per transaction: about 10 ms on SQLite, which blocks everything else. */
const AT_ONCE = 200

/** The only row. */
const ROW = 1

/** The fields of a call that citations need. */
type CitingCall = { at: number; day: number; pageCitations: string | null }

/** Time before which the citations of calls are counted by page. */
export async function foldedUntil(db: Db): Promise<number> {
  return (await findRow(db, 'callFolds', { id: ROW }))?.foldedUntil ?? 0
}

/** Counts the citations of the next calls before `until`, oldest first. False if there are no more. */
export async function foldCitations(tx: Db, until: number): Promise<boolean> {
  const from = await lockFolds(tx)
  if (from >= until) return false
  const calls = tx.selectFrom('calls').select(['at', 'day', 'pageCitations'])
  const next = await calls.where('at', '>=', from).where('at', '<', until).orderBy('at').limit(AT_ONCE).execute()
  const [first, last] = [next.at(0), next.at(-1)]
  const isEnd = next.length < AT_ONCE || !first || !last
  // The calls of the last millisecond may not all be among these, unless there is only one.
  const to = isEnd ? until : last.at > first.at ? last.at : last.at + 1
  const whole = !isEnd && last.at === first.at ? await calls.where('at', '=', first.at).execute() : next
  await addCitations(
    tx,
    whole.filter(({ at }) => at < to),
  )
  await updateRows(tx, 'callFolds', { id: ROW }, { foldedUntil: to })
  return !isEnd
}

/**
 * Counts the citations of calls that `write` writes late, in that transaction, except those that the next fold finds.
 * Folds write pages under the lock, so it comes first.
 */
export async function foldLateCalls(tx: Db, ids: readonly string[], write: () => Promise<void>): Promise<void> {
  const until = await lockFolds(tx)
  await write()
  const late = tx.selectFrom('calls').select(['at', 'day', 'pageCitations']).where('id', 'in', ids)
  await addCitations(tx, await late.where('at', '<', until).execute())
}

async function lockFolds(tx: Db): Promise<number> {
  await insertNewRow(tx, 'callFolds', { id: ROW, foldedUntil: 0 })
  const row = tx.selectFrom('callFolds').select('foldedUntil').where('id', '=', ROW)
  return (await (runsOnPostgres(tx) ? row.forUpdate() : row).executeTakeFirstOrThrow()).foldedUntil
}

async function addCitations(tx: Db, calls: readonly CitingCall[]): Promise<void> {
  const all = calls.flatMap(({ pageCitations, ...call }) =>
    readReferences(pageCitations).map(([id]) => ({ ...call, id })),
  )
  const pages = await pagesById(
    tx,
    all.map(({ id }) => id),
  )
  const cited = all.flatMap(({ id, ...call }) => {
    const page = pages.get(id)
    return page ? [{ ...page, ...call }] : []
  })
  const saved = new Set((await savePages(tx, cited)).values())
  const kept = cited.filter(({ id }) => saved.has(id))
  for (const ofDay of Map.groupBy(kept, ({ sourceId, day }) => `${sourceId} ${day}`).values()) {
    const counts = Map.groupBy(ofDay, ({ id }) => id)
    await addPageDay(tx, elementAt(ofDay, 0), new Map([...counts].map(([id, { length }]) => [id, length])))
  }
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

/** Days of a period. A report reads a row for each whole period, and a row for each further day. */
const PERIOD_DAYS = 32

/** The first day of the period that a day belongs to. */
const periodOf = (day: number): number => day - (day % PERIOD_DAYS)

/** The first day of the first period that begins on a day or later. */
export const nextPeriod = (day: number): number => periodOf(day + PERIOD_DAYS - 1)

/** Stored counts: a flat JSON array, in which ids and counts alternate. It is fast to parse. */
export const readPageCounts = (stored: string): readonly number[] => JSON.parse(stored) as number[]

function addPageCounts(flat: readonly number[], added: PageCounts): PageCounts {
  const counts = new Map(added)
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const id = elementAt(flat, at)
    counts.set(id, (counts.get(id) ?? 0) + elementAt(flat, at + 1))
  }
  return counts
}
