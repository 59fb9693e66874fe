import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldCitations } from '#store/calls/fold-citations.ts'
import type { Store } from '#store/db.ts'

/** Calls are counted by page only when all calls of their time are written, or will be recognized as late. */
const SETTLED_MS = 10 * 60 * 1000

/** Calls that are written after this time count as late. No transaction takes as long as the difference. */
export const LATE_CALL_MS = SETTLED_MS / 2

/** Counts the citations of settled calls by page and day. A report reads the rest from the log. */
export async function foldSettledCalls(store: Store, now: number): Promise<void> {
  while (await store.transaction((tx) => foldCitations(tx, now - SETTLED_MS))) await nextTurn()
}
