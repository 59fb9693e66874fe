import { setImmediate as nextTurn } from 'node:timers/promises'
import { LISTED_BY_TOOL } from '@docent/contract/fields'
import { RETENTION_DAYS } from '@docent/contract/limits'
import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { Actor } from '#auth/authenticate.ts'
import { planOf, planUrl } from '#auth/plans.ts'
import { DocentError, found } from '#errors.ts'
import { enqueueIngest, resumeIngest } from '#jobs/enqueue-ingest.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { isoTime, isoTimeOrNull } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { countPrivateSources } from '#store/accounts/secrets.ts'
import { cancelIngests, cancelQueued, enqueue } from '#store/jobs/queue.ts'
import { readRedaction } from '#store/servers/served.ts'
import {
  type ListedServer,
  type ServerRow,
  countLiveServers,
  findServer,
  listServersAfter,
  lockAccount,
  lockServer,
  markDeleted,
  markRestored,
  purgeKey,
  updateServerRow,
} from '#store/servers/servers.ts'
import { type SourceRow, findSource, listSources, updateSourceRow } from '#store/sources/sources.ts'
import { becomePrivate, presentIssued } from '../account/keys.ts'
import type { CheckedCall, Handler, HandlersOf, OperationDeps } from '../operation.ts'
import { type ListPlace, cursorAfter, placeOf } from '../paging.ts'
import { isPrivateSource, mayUseLinkedAccount } from '../sources/check-source.ts'
import { presentSources } from '../sources/present-source.ts'
import { createServer } from './create.ts'
import { exportServer } from './export-server.ts'
import { importServer } from './import-server.ts'
import { configSnippet, readProgress, serverStatus, summaryFields } from './present.ts'

/** Servers per slice of a list: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 100
const DAY_MS = 24 * 60 * 60 * 1000

/** Refreshes the server, which is named in the body or in the path. */
const refresh: Handler<'servers.crawl'> & Handler<'servers.crawlOne'> = async (call, { sourceId }) => {
  const { deps, actor, server } = call
  const { store } = deps
  const sources = sourceId
    ? [found(await findSource(store.read, server.id, sourceId), 'source_not_found')]
    : await listSources(store.read, server.id)
  const privateIds = await findPrivate(deps, actor, sources)
  const token = await store.transaction(async (tx) => {
    const current = privateIds.length > 0 ? await lockServer(tx, server.id) : undefined
    for (const id of privateIds) await updateSourceRow(tx, id, { isPrivate: 1, usesLinkedAccount: 1 })
    for (const source of sources) await enqueueIngest(tx, source)
    return current ? becomePrivate(tx, current, deps.clock()) : null
  })
  deps.wakeWorker()
  const progress = await readProgress(deps, server.id)
  const issuedToken = presentIssued(token) ?? undefined
  return { started: true, queued: sources.length, ...progress, ...defined({ issuedToken }) }
}

export const serverHandlers: HandlersOf<'servers'> = {
  'servers.export': exportServer,
  'servers.import': importServer,
  'servers.create': createServer,
  'servers.list': async (call, { limit, cursor }) =>
    limit === undefined && cursor === undefined
      ? slices(call)
      : onePage(call, { limit: limit ?? LISTED_BY_TOOL, cursor }),
  'servers.crawl': refresh,
  'servers.get': async ({ deps, server }) => presentDetail(deps, server),

  'servers.update': async ({ deps, actor, server }, input) => {
    const { name, description, refresh: every, structuredOutput: structured, redaction, webPages } = input
    const values = defined({
      name,
      description,
      refresh: every,
      webPages,
      structuredOutput: structured === undefined ? undefined : Number(structured),
      redaction: redaction === undefined ? undefined : JSON.stringify(redaction),
    })
    if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
    await deps.store.transaction((tx) => updateServerRow(tx, server.id, { ...values, updatedAt: deps.clock() }))
    return presentDetail(deps, found(await findServer(deps.store.read, actor.accountId, server.id), 'server_not_found'))
  },

  'servers.delete': async ({ deps, server }) => {
    const deletedAt = await deps.store.now()
    const purgeAt = deletedAt + RETENTION_DAYS * DAY_MS
    await deps.store.transaction(async (tx) => {
      if (!(await markDeleted(tx, server.id, deletedAt, purgeAt))) throw new DocentError('server_not_found')
      await cancelIngests(tx, server.id)
      const about = { serverId: server.id, dedupeKey: purgeKey(server.id), runAt: purgeAt }
      await enqueue(tx, 'purge', { serverId: server.id }, about)
    })
    return { ok: true, retentionDays: RETENTION_DAYS, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
  },

  'servers.restore': async ({ deps, actor, server }) => {
    const { store } = deps
    if (server.deletedAt === null) return { ...(await presentDetail(deps, server)), unchanged: true }
    const now = await store.now()
    const restored = await store.transaction(async (tx) => {
      await lockAccount(tx, actor.accountId)
      const { servers: limit } = planOf(actor.plan)
      if (limit !== null && (await countLiveServers(tx, actor.accountId, limit)) >= limit) {
        throw new DocentError('server_limit', { fields: { limit, upgradeUrl: planUrl(deps.baseUrl()) } })
      }
      await cancelQueued(tx, purgeKey(server.id))
      if (!(await markRestored(tx, server.id, now))) throw new DocentError('server_not_found')
      for (const source of await listSources(tx, server.id)) await resumeIngest(tx, source)
      return findServer(tx, actor.accountId, server.id)
    })
    const live = found(restored, 'server_not_found')
    deps.wakeWorker()
    return presentDetail(deps, live)
  },

  'servers.setVisibility': async ({ deps, server }, { visibility }) =>
    deps.store.transaction(async (tx) => {
      const current = found(await lockServer(tx, server.id), 'server_not_found')
      const answer = { ok: true as const, visibility, maxTokens: MAX_TOKENS, issuedToken: null }
      if (current.visibility === visibility) return { ...answer, unchanged: true as const }
      const now = deps.clock()
      if (visibility === 'private') {
        return { ...answer, issuedToken: presentIssued(await becomePrivate(tx, current, now)) }
      }
      if ((await countPrivateSources(tx, server.id)) > 0) throw new DocentError('private_source_present')
      await updateServerRow(tx, server.id, { visibility, updatedAt: now })
      return answer
    }),

  'servers.crawlOne': refresh,
  'servers.progress': async ({ deps, server }) => readProgress(deps, server.id),
}

/** Finds repositories that a later linked account can read. Publicly indexed ones stay public. */
async function findPrivate(deps: OperationDeps, actor: Actor, sources: readonly SourceRow[]): Promise<string[]> {
  if (!mayUseLinkedAccount(actor)) return []
  const looks = sources
    .filter(({ type, url, isPrivate, lastIndexedAt }) => {
      return sourceKind(type).isRepository && isPrivate === 0 && lastIndexedAt === null && !isUploadUrl(url)
    })
    .map(async ({ id, type, url }) =>
      (await isPrivateSource(deps, actor, { address: new URL(url), type })) ? [id] : [],
    )
  return (await Promise.all(looks)).flat()
}

/** One page, and its cursor if there are more. */
async function onePage(
  call: CheckedCall<'servers.list'>,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const rows: ListedServer[] = []
  for await (const slice of visibleServers(call, cursor === undefined ? undefined : placeOf(cursor))) {
    rows.push(...slice)
    if (rows.length > limit) break
  }
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (last && rows.length > limit) call.showNext?.(cursorAfter(last))
  const baseUrl = call.deps.baseUrl()
  return shown.map((server) => present(baseUrl, server))
}

async function* slices(call: CheckedCall<'servers.list'>) {
  const baseUrl = call.deps.baseUrl()
  for await (const slice of visibleServers(call)) yield slice.map((server) => present(baseUrl, server))
}

async function* visibleServers({ deps, actor }: CheckedCall<'servers.list'>, after?: ListPlace) {
  const { serverIds, accountId } = actor
  const now = await deps.store.now()
  let rows: ListedServer[] = []
  do {
    rows = await listServersAfter(deps.store.read, accountId, { now, after: rows.at(-1) ?? after, limit: SLICE })
    yield serverIds ? rows.filter(({ id }) => serverIds.has(id)) : rows
    // Otherwise SQLite would read all slices in one turn of the event loop.
    await nextTurn()
  } while (rows.length === SLICE)
}

function present(baseUrl: string, server: ListedServer) {
  const { deletedAt, purgeAt, total } = server
  if (deletedAt === null || purgeAt === null) {
    return summaryFields(baseUrl, server, { total, status: serverStatus(server) })
  }
  const summary = summaryFields(baseUrl, server, { total, status: 'deleted' })
  return { ...summary, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
}

async function presentDetail(deps: OperationDeps, server: ServerRow) {
  const sources = await listSources(deps.store.read, server.id)
  const { status } = await readProgress(deps, server.id)
  return {
    ...summaryFields(deps.baseUrl(), server, { total: sources.length, status }),
    configSnippet: configSnippet(deps.baseUrl(), server),
    tools: JSON.parse(server.tools) as string[],
    refresh: server.refresh,
    structuredOutput: server.structuredOutput === 1,
    redaction: readRedaction(server.redaction),
    webPages: server.webPages,
    lastConnectedAt: isoTimeOrNull(server.lastConnectedAt),
    sources: await presentSources(deps.store.read, server, sources),
  }
}

/** The id of the account's server with this id or slug, or the name itself. The operation checks the scope. */
export async function resolveServerId({ store }: OperationDeps, { accountId }: Actor, name: string): Promise<string> {
  return (await findServer(store.read, accountId, name))?.id ?? name
}
