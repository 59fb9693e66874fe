import type { Store } from '#store/db.ts'
import { isSourceOfOtherFormat, sourcesOfOtherFormat } from '#store/sources/due-sources.ts'
import { enqueueIngest } from './enqueue-ingest.ts'

/** Sources read per query. */
const AT_ONCE = 200

/**
 * Queues sources whose index has another format than `format`. They cannot be searched until they are rebuilt. Returns
 * their number. Only one of several nodes queues each source.
 */
export async function queueRebuilds(store: Store, format: number): Promise<number> {
  let queued = 0
  for (let afterId = ''; ;) {
    const sources = await sourcesOfOtherFormat(store.read, { format, afterId, limit: AT_ONCE })
    for (const source of sources) {
      queued += await store.transaction(async (tx) => {
        if (!(await isSourceOfOtherFormat(tx, format, source.id))) return 0
        await enqueueIngest(tx, source)
        return 1
      })
    }
    const last = sources[AT_ONCE - 1]
    if (!last) return queued
    afterId = last.id
  }
}
