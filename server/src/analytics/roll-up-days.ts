import { setImmediate as nextTurn } from 'node:timers/promises'
import { daysWithHours, moveHours } from '#store/calls/roll-up.ts'
import type { Store } from '#store/db.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Whole days that keep their counts by hour: a report of seven days begins within one. */
const KEPT_DAYS = 8

/** Joins the counts by hour of earlier days, so that a year stays fast to read. */
export async function rollUpDays(store: Store, now: number): Promise<void> {
  const before = Math.floor(now / DAY_MS) - KEPT_DAYS
  for (let days = await daysWithHours(store.read, before); days.length > 0;) {
    for (const day of days) {
      await store.transaction((tx) => moveHours(tx, day))
      await nextTurn()
    }
    days = await daysWithHours(store.read, before)
  }
}
