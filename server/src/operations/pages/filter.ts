import type { ReportedState } from '@docent/contract/operations/pages'
import { DocentError } from '#errors.ts'
import type { Db } from '#store/db.ts'
import type { ReportFilter, ReportedPage } from '#store/pages/page-report.ts'
import { listSources } from '#store/sources/sources.ts'
import { isoTime } from '../servers/present.ts'

type Given = { sourceId?: string | undefined; state?: ReportedState | undefined; reason?: string | undefined }

/** Builds the page filter. Throws `404 source_not_found` for a source that is not on the server. */
export async function readFilter(db: Db, serverId: string, { sourceId, state, reason }: Given): Promise<ReportFilter> {
  const sources = await listSources(db, serverId)
  const meant = sourceId === undefined ? sources : sources.filter(({ id }) => id === sourceId)
  if (sourceId !== undefined && meant.length === 0) throw new DocentError('source_not_found')
  return {
    sourceIds: meant.map(({ id }) => id),
    ...(state ? { state: state === 'waiting' ? 'queued' : state } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** A page in the owner's view. */
export function presentPage({ state, updatedAt, ...page }: ReportedPage) {
  const isWaiting = state === 'queued'
  return {
    ...page,
    state: isWaiting ? ('waiting' as const) : state,
    settledAt: isWaiting ? null : isoTime(updatedAt),
  }
}
