import { suggestedType } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { DocentError } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { findCredential, countPrivateSources, sourcesWithCredential } from '#store/accounts/secrets.ts'
import { findSource, updateSourceRow, listSources, type SourceRow } from '#store/sources/sources.ts'
import { addressKey } from '#lib/addresses/page-address.ts'
import { type Purged, deleteSourceRows } from '#store/sources/remove-source.ts'
import { updateServerRow } from '#store/servers/servers.ts'
import type { Db } from '#store/db.ts'
import { countReasons } from '#store/pages/page-report.ts'
import { isoTimeOrNull } from '#lib/clock.ts'
import type { Handler } from '../operation.ts'
import { refuseAllowedTools, requireUrl, privateUrlError } from './check-source.ts'

export const updateSource: Handler<'sources.update'> = async (
  { deps, server, source },
  { label, include, exclude, allowedTools },
) => {
  refuseAllowedTools(source.type, allowedTools ?? [])
  const values = {
    ...(label === undefined ? {} : { label: label || null }),
    ...(include === undefined ? {} : { includePatterns: JSON.stringify(include) }),
    ...(exclude === undefined ? {} : { excludePatterns: JSON.stringify(exclude) }),
    ...(allowedTools === undefined ? {} : { allowedTools: JSON.stringify(allowedTools) }),
  }
  if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
  const { includePatterns = source.includePatterns, excludePatterns = source.excludePatterns } = values
  const changesScope = includePatterns !== source.includePatterns || excludePatterns !== source.excludePatterns
  const answer = await deps.store.transaction(async (tx) => {
    await updateSourceRow(tx, source.id, values)
    // A running crawl would keep pages read under the old patterns.
    if (changesScope) await enqueueAnew(tx, source)
    const changed = await findSource(tx, server.id, source.id)
    if (!changed) throw new DocentError('source_not_found')
    const credential = await findCredential(tx, source.id)
    return presentSource(tx, changed, credential !== undefined)
  })
  if (changesScope) deps.wakeWorker({ taken: true })
  return answer
}

const NOTHING: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }

export const removeSource: Handler<'sources.remove'> = async ({ deps, server }, { sourceId, url }) => {
  const { store } = deps
  const read = url === undefined ? null : deps.readAddress(url)
  const href = read !== null && 'address' in read ? read.address.href : url
  const meant = (await listSources(store.read, server.id)).filter(
    (source) =>
      (sourceId === undefined || source.id === sourceId) &&
      (href === undefined || addressKey(source.url) === addressKey(href)),
  )
  // Older servers can still have both forms of an address.
  const source = meant.find((each) => each.url === href) ?? meant[0]
  // Otherwise calls that were just answered would be written after their citations were counted.
  await deps.flushCalls()
  const purged = source ? await deleteSourceRows(store, source.id) : null
  if (purged) await updateServerRow(store.write, server.id, { updatedAt: deps.clock() })
  const remainingPrivateSources = await countPrivateSources(store.read, server.id)
  return { ok: true, removed: purged ? 1 : 0, purged: purged ?? NOTHING, remainingPrivateSources }
}

export const detectSource: Handler<'sources.detect'> = async ({ deps, actor, signal }, { url: text }) => {
  const address = requireUrl(deps, text)
  const verdict = await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw privateUrlError(deps, address)
  const guess = suggestedType(address)
  // Detection would take as long again, and occupy one of the few threads for socket look-ups.
  if (verdict === 'unresolved') return { url: address.href, ...unseen(guess), problem: UNRESOLVED }
  return { url: address.href, ...(await deps.detectSource(address, guess)) }
}

const UNRESOLVED = 'The host name could not be resolved in time. Check its spelling.'

const unseen = (type: SourceType) =>
  ({ type, label: null, reachable: false, reason: 'Judged by the address alone.' }) as const

/** Sources of a server in the owner's view. Shows that credentials exist, but not their values. */
export async function presentSources(db: Db, serverId: string, sources: readonly SourceRow[]) {
  const withCredential = await sourcesWithCredential(db, serverId)
  return Promise.all(sources.map((source) => presentSource(db, source, withCredential.has(source.id))))
}

export async function presentSource(db: Db, source: SourceRow, hasCredential: boolean) {
  const reasons = source.pagesSkipped + source.pagesFailed > 0 ? await countReasons(db, source.id) : []
  return {
    id: source.id,
    url: source.url,
    type: source.type,
    typeReason: source.typeReason,
    label: source.label,
    crawlStatus: source.crawlStatus,
    ...(source.crawlError === null ? {} : { crawlError: source.crawlError }),
    pagesDiscovered: source.pagesFound,
    pagesIndexed: source.pagesIndexed,
    pagesSkipped: source.pagesSkipped,
    pagesFailed: source.pagesFailed,
    skipped: reasons.map(({ reason, pages, detail }) => ({ reason, pages, example: detail })),
    chunks: source.chunks,
    lastIndexedAt: isoTimeOrNull(source.lastIndexedAt),
    include: JSON.parse(source.includePatterns) as string[],
    exclude: JSON.parse(source.excludePatterns) as string[],
    isPrivate: source.isPrivate === 1,
    hasCredential,
    allowedTools: JSON.parse(source.allowedTools) as string[],
  }
}
