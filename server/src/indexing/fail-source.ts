import { GiveUp } from '#jobs/lease.ts'
import type { Job } from '#store/jobs/job.ts'
import { NetError } from '#net/net-error.ts'
import type { Store } from '#store/db.ts'
import { isOfStorage } from '#store/engine/outages.ts'
import { findSourceById, updateSourceRow } from '#store/sources/sources.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { SiteDown } from '#crawl/crawl-site.ts'

/** True if an error has its cause in the source or its host, and a message for the owner. Others are bugs. */
export function isOfSource(error: unknown): error is Error {
  return (
    error instanceof GiveUp || error instanceof SiteDown || error instanceof NetError || error instanceof UpstreamError
  )
}

const OURS = 'Indexing failed on our side. The error has been logged; refresh the source to try again.'
const STORAGE =
  'The object storage of this instance does not work, so nothing can be indexed. The error has been logged. Indexing starts again by itself when it works.'

/** Marks a source as failed, with a message for its owner. What was published stays searchable. */
export async function failSource(store: Store, { payload }: Job, error: unknown): Promise<void> {
  const { sourceId } = JSON.parse(payload) as { sourceId: string }
  const source = await findSourceById(store.read, sourceId)
  if (!source) return
  const why = isOfSource(error) ? error.message : isOfStorage(error) ? STORAGE : OURS
  const still = source.segments === '[]' ? '' : ' What was indexed before can still be searched.'
  await updateSourceRow(store.write, sourceId, { crawlStatus: 'error', crawlError: why + still })
}

/**
 * Converts permanent errors to `GiveUp` with the same message, so that the job is not retried: refused addresses,
 * invalid responses and refused credentials. Timeouts are included, to avoid four more waits for the same host. So is a
 * host that cannot be reached at all when nothing of it is indexed: its owner waits, and can start it.
 */
export function asFinalFailure(error: unknown, { isFirst }: { isFirst: boolean }): unknown {
  if (error instanceof NetError && error.reason !== 'aborted') {
    const isUnreached = error.reason === 'connect' || error.reason === 'dns'
    const isFinal = !error.transient || error.reason === 'timeout' || (isFirst && isUnreached)
    const host = isUnreached && error.url ? `${new URL(error.url).host}: ` : ''
    if (isFinal) return new GiveUp(host + error.message, { cause: error })
  }
  if (error instanceof UpstreamError && error.reason !== 'failed') return new GiveUp(error.message, { cause: error })
  return error
}
