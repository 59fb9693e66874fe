import { elementAt } from '#lib/element-at.ts'

/** Citations by id of the page. */
export type PageCounts = ReadonlyMap<number, number>

/** Days of a period. A report reads a row for each whole period, and a row for each further day. */
const PERIOD_DAYS = 32

/** The first day of the period that a day belongs to. */
export const periodOf = (day: number): number => day - (day % PERIOD_DAYS)

/** The first day of the first period that begins on a day or later. */
export const nextPeriod = (day: number): number => periodOf(day + PERIOD_DAYS - 1)

/** Counts as stored: a flat JSON array of ids and counts, which is fast to parse. */
export function writePageCounts(counts: PageCounts): string {
  return JSON.stringify([...counts].flat())
}

/** Ids and counts alternate in one flat array. */
export const readPageCounts = (stored: string): readonly number[] => JSON.parse(stored) as number[]

/** Adds counts to a flat array of them. */
export function addPageCounts(flat: readonly number[], added: PageCounts): PageCounts {
  const counts = new Map(added)
  for (let at = 0; at + 1 < flat.length; at += 2) {
    const id = elementAt(flat, at)
    counts.set(id, (counts.get(id) ?? 0) + elementAt(flat, at + 1))
  }
  return counts
}
