import { GiveUp } from '#jobs/errors.ts'
import type { Job } from '#store/jobs/job.ts'
import { NetError } from '#net/net-error.ts'
import type { Store } from '#store/db.ts'
import { findSourceById, updateSourceRow } from '#store/sources/sources.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { SiteDown } from '#crawl/crawl-site.ts'

/**
 * Marks a source as failed after its last attempt, with a message for its owner. The previously published index stays
 * searchable.
 */
export async function failSource(store: Store, { payload }: Job, error: unknown): Promise<void> {
  const { sourceId } = JSON.parse(payload) as { sourceId: string }
  const source = await findSourceById(store.read, sourceId)
  if (!source) return
  const why =
    error instanceof GiveUp || error instanceof SiteDown || error instanceof NetError || error instanceof UpstreamError
      ? error.message
      : 'Indexing failed on our side. The error has been logged; refresh the source to try again.'
  const still = source.segments === '[]' ? '' : ' What was indexed before can still be searched.'
  await updateSourceRow(store.write, sourceId, { crawlStatus: 'error', crawlError: why + still })
}
