import type { Store } from '#store/db.ts'
import { dueForRefresh, isDueForRefresh } from '#store/due-for-refresh.ts'
import { enqueueIngest } from './enqueue-ingest.ts'

/** Sources queued in one go; the rest has its turn in the next. */
const AT_ONCE = 200

/** Queues the sources whose server's schedule asks for it. Returns how many. Of several nodes only one queues each. */
export async function refreshDue(store: Store, now: number): Promise<number> {
  const due = await dueForRefresh(store.read, now, AT_ONCE)
  let queued = 0
  for (const source of due) {
    queued += await store.transaction(async (tx) => {
      if (!(await isDueForRefresh(tx, now, source.id))) return 0
      await enqueueIngest(tx, source)
      return 1
    })
  }
  return queued
}
