import type { Store } from '#store/db.ts'
import { isSourceOfOtherFormat, sourcesOfOtherFormat } from '#store/of-other-format.ts'
import { enqueueIngest } from './enqueue-ingest.ts'

/** Sources that are read at once. */
const AT_ONCE = 200

/**
 * Queues the sources whose index another version of the program wrote, in another format than `format`, and which cannot
 * be searched until it is built anew. Returns how many. Of several nodes only one queues each.
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
