import { sourceKind } from '@docent/contract/values/source-kinds'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { type ServerRow, lockServer } from '#store/servers/servers.ts'
import { type SourceRow, findSource, listSources, updateSourceRow } from '#store/sources/sources.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { becomePrivate, presentIssued } from '../access-tokens.ts'
import { mayUseLinkedAccount } from '../sources/repository-access.ts'
import { readProgress } from './progress.ts'
import { isPrivateRepository } from '../sources/read-sources.ts'

/** Refreshes the server named in the body. */
export const crawlServer: Handler<'servers.crawl'> = async ({ deps, actor, server }, { sourceId }) =>
  refresh(deps, { actor, server, sourceId })

/** Refreshes the server named in the path. */
export const crawlOneServer: Handler<'servers.crawlOne'> = async ({ deps, actor, server }, { sourceId }) =>
  refresh(deps, { actor, server, sourceId })

type Asked = { actor: Actor; server: ServerRow; sourceId: string | undefined }

async function refresh(deps: OperationDeps, { actor, server, sourceId }: Asked) {
  const { store } = deps
  const sources = await readSources(deps, server.id, sourceId)
  const privateIds = await findPrivate(deps, actor, sources)
  const token = await store.transaction(async (tx) => {
    const current = privateIds.length > 0 ? await lockServer(tx, server.id) : undefined
    for (const id of privateIds) await updateSourceRow(tx, id, { isPrivate: 1, usesLinkedAccount: 1 })
    for (const source of sources) await enqueueIngest(tx, source)
    return current ? becomePrivate(tx, current, deps.clock()) : null
  })
  deps.wakeWorker()
  const progress = await readProgress(deps, server.id)
  const issuedToken = presentIssued(token)
  return { started: true as const, queued: sources.length, ...progress, ...(issuedToken ? { issuedToken } : {}) }
}

async function readSources({ store }: OperationDeps, serverId: string, id: string | undefined): Promise<SourceRow[]> {
  if (!id) return listSources(store.read, serverId)
  const source = await findSource(store.read, serverId, id)
  if (!source) throw new DocentError('source_not_found')
  return [source]
}

/**
 * Finds repositories added before an account was linked that can read them. A publicly indexed one stays public:
 * closing a repository must not make its server private.
 */
async function findPrivate(deps: OperationDeps, actor: Actor, sources: readonly SourceRow[]): Promise<string[]> {
  if (!mayUseLinkedAccount(actor)) return []
  const looks = sources
    .filter(({ type, url, isPrivate, lastIndexedAt }) => {
      return sourceKind(type).isRepository && isPrivate === 0 && lastIndexedAt === null && !isUploadUrl(url)
    })
    .map(async ({ id, type, url }) =>
      (await isPrivateRepository(deps, actor, { address: new URL(url), type })) ? [id] : [],
    )
  return (await Promise.all(looks)).flat()
}
