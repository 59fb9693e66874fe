import { suggestedType } from '@docent/contract/values/source-kinds'
import { DocentError, found } from '#errors.ts'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { findCredential, countPrivateSources } from '#store/accounts/secrets.ts'
import { unreadPages } from '#store/pages/pages.ts'
import { findSource, updateSourceRow } from '#store/sources/sources.ts'
import { type Purged, deleteSourceRows } from '#store/sources/remove-source.ts'
import { releaseUploads } from '#store/sources/uploads.ts'
import { updateServerRow } from '#store/servers/servers.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { maskAddress, readSecrets } from '#lib/addresses/secret-address.ts'
import { defined } from '#lib/objects.ts'
import type { HandlersOf } from '../operation.ts'
import { addSource } from './add.ts'
import { changeCredential } from './change-credential.ts'
import { privateUrlError, refuseAllowedTools, requireUrl, warningOf } from './check-source.ts'
import { presentSource } from './present-source.ts'
import { uploadSource } from './upload.ts'

const NOTHING: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
const UNRESOLVED =
  'No name server answered about the host name in time. Check the network of this machine, or try again later.'
const UNSEEN = { label: null, reachable: false, reason: 'Judged by the address alone.' } as const

export const sourceHandlers: HandlersOf<'sources'> = {
  'sources.add': addSource,
  'sources.changeCredential': changeCredential,
  'sources.upload': uploadSource,

  'sources.detect': async ({ deps, actor, signal }, { url: text }) => {
    const address = requireUrl(text)
    const url = maskAddress(address.href)
    const warning = warningOf(readSecrets(address.href).names)
    const seen = { url, ...(warning === null ? {} : { warning }) }
    const verdict = await deps.checkAddress(address, { account: actor.accountId, signal })
    if (verdict === 'private') throw privateUrlError(deps, address)
    const type = suggestedType(address)
    // Detection would take as long again, and occupy one of the few threads for socket look-ups.
    if (verdict === 'unresolved') return { ...seen, type, ...UNSEEN, problem: UNRESOLVED }
    return { ...seen, ...(await deps.detectSource(address, type)) }
  },

  'sources.update': async ({ deps, server, source }, { label, include, exclude, versions, allowedTools }) => {
    refuseAllowedTools(source.type, allowedTools ?? [])
    const values = defined({
      label: label === undefined ? undefined : label || null,
      includePatterns: include && JSON.stringify(include),
      excludePatterns: exclude && JSON.stringify(exclude),
      versions: versions && JSON.stringify(versions),
      allowedTools: allowedTools && JSON.stringify(allowedTools),
    })
    if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
    const scope = ['includePatterns', 'excludePatterns', 'versions'] as const
    const changesScope = scope.some((name) => (values[name] ?? source[name]) !== source[name])
    const answer = await deps.store.transaction(async (tx) => {
      await updateSourceRow(tx, source.id, values)
      const isGone = (version: string) => version !== '' && !(versions?.includes(version) ?? true)
      await releaseUploads(tx, source.id, isGone)
      if (isUploadUrl(source.url))
        for (const version of (JSON.parse(source.versions) as string[]).filter(isGone))
          await unreadPages(tx, source.id, `${source.url}${version}/`)
      // A running crawl would keep pages read under the old patterns.
      if (changesScope) await enqueueAnew(tx, source)
      const changed = found(await findSource(tx, server.id, source.id), 'source_not_found')
      return presentSource(tx, changed, (await findCredential(tx, source.id)) !== undefined)
    })
    if (changesScope) deps.wakeWorker({ taken: true })
    return answer
  },

  'sources.remove': async ({ deps: { store, clock, flushCalls }, server, source }) => {
    // Otherwise calls that were just answered would be written after their citations were counted.
    await flushCalls()
    const purged = source ? await deleteSourceRows(store, source.id) : null
    if (purged) await updateServerRow(store.write, server.id, { updatedAt: clock() })
    const remainingPrivateSources = await countPrivateSources(store.read, server.id)
    return { ok: true, removed: purged ? 1 : 0, purged: purged ?? NOTHING, remainingPrivateSources }
  },
}
