import type { Store } from '#store/db.ts'
import { dueForRefresh } from '#store/due-for-refresh.ts'
import { enqueueIngest } from './enqueue-ingest.ts'

/** Sources queued in one go; the rest has its turn in the next. */
const AT_ONCE = 200

/** Queues the sources whose server's schedule asks for it. Returns how many. Two nodes at once queue each only once. */
export async function refreshDue(store: Store, now: number): Promise<number> {
  const due = await dueForRefresh(store.read, now, AT_ONCE)
  for (const source of due) await store.transaction((tx) => enqueueIngest(tx, source))
  return due.length
}
