import type { Store } from '#store/db.ts'
import { dueForRefresh, isDueForRefresh } from '#store/sources/due-sources.ts'
import { enqueueIngest } from './enqueue-ingest.ts'

/** Sources queued per run. The next run takes the rest. */
const AT_ONCE = 200

/**
 * Queues sources that are due by their server's schedule, and uploads of an earlier text format. Returns their number.
 * Only one of several nodes queues each source.
 */
export async function refreshDue(store: Store, when: { now: number; textFormat: string }): Promise<number> {
  const due = await dueForRefresh(store.read, when, AT_ONCE)
  let queued = 0
  for (const source of due) {
    queued += await store.transaction(async (tx) => {
      if (!(await isDueForRefresh(tx, when, source.id))) return 0
      await enqueueIngest(tx, source)
      return 1
    })
  }
  return queued
}
