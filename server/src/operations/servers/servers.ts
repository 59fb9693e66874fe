import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { RETENTION_DAYS } from '@docent/contract/limits'
import {
  type ListedServer,
  listServersAfter,
  type ServerRow,
  findServer,
  updateServerRow,
  lockServer,
  markDeleted,
  countLiveServers,
  lockAccount,
  markRestored,
} from '#store/servers/servers.ts'
import { isoTime } from '#lib/clock.ts'
import { readRedaction } from '#store/servers/served.ts'
import { listSources } from '#store/sources/sources.ts'
import { DocentError } from '#errors.ts'
import { countPrivateSources } from '#store/accounts/secrets.ts'
import { cancelIngests, enqueue, cancelQueued } from '#store/jobs/queue.ts'
import { planOf, planUrl } from '#auth/plans.ts'
import { resumeIngest } from '#jobs/enqueue-ingest.ts'
import type { Actor } from '#auth/authenticate.ts'
import type { CheckedCall, Handler, OperationDeps } from '../operation.ts'
import { serverStatus, summaryFields, configSnippet } from './present.ts'
import { presentSources } from '../sources/sources.ts'
import { readProgress } from './progress.ts'
import { becomePrivate, presentIssued } from '../access-tokens.ts'

/** Servers per slice: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 100

export const listServers: Handler<'servers.list'> = async (call) => slices(call)

async function* slices({ deps, actor }: CheckedCall<'servers.list'>) {
  const { serverIds, accountId } = actor
  const now = await deps.store.now()
  const baseUrl = deps.baseUrl()
  let rows: ListedServer[] = []
  do {
    rows = await listServersAfter(deps.store.read, accountId, { now, after: rows.at(-1), limit: SLICE })
    const visible = serverIds ? rows.filter(({ id }) => serverIds.has(id)) : rows
    yield visible.map((server) => present(baseUrl, server))
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

export const getServer: Handler<'servers.get'> = async ({ deps, server }) => presentDetail(deps, server)

/** A live server with everything its owner may see. */
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
    sources: await presentSources(deps.store.read, server.id, sources),
  }
}

export const updateServer: Handler<'servers.update'> = async (
  call,
  { name, description, refresh, structuredOutput, redaction },
) => {
  const { deps, actor, server } = call
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(refresh === undefined ? {} : { refresh }),
    ...(structuredOutput === undefined ? {} : { structuredOutput: structuredOutput ? 1 : 0 }),
    ...(redaction === undefined ? {} : { redaction: JSON.stringify(redaction) }),
  }
  if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
  await updateServerRow(deps.store.write, server.id, { ...values, updatedAt: deps.clock() })
  const changed = await findServer(deps.store.read, actor.accountId, server.id)
  if (!changed) throw new DocentError('server_not_found')
  return presentDetail(deps, changed)
}

export const setVisibility: Handler<'servers.setVisibility'> = async ({ deps, server }, { visibility }) =>
  deps.store.transaction(async (tx) => {
    const current = await lockServer(tx, server.id)
    if (!current) throw new DocentError('server_not_found')
    const answer = { ok: true as const, visibility, maxTokens: MAX_TOKENS, issuedToken: null }
    if (current.visibility === visibility) return { ...answer, unchanged: true as const }
    const now = deps.clock()
    if (visibility === 'private') {
      return { ...answer, issuedToken: presentIssued(await becomePrivate(tx, current, now)) }
    }
    if ((await countPrivateSources(tx, server.id)) > 0) throw new DocentError('private_source_present')
    await updateServerRow(tx, server.id, { visibility, updatedAt: now })
    return answer
  })

const DAY_MS = 24 * 60 * 60 * 1000

export const deleteServer: Handler<'servers.delete'> = async ({ deps, server }) => {
  const deletedAt = await deps.store.now()
  const purgeAt = deletedAt + RETENTION_DAYS * DAY_MS
  await deps.store.transaction(async (tx) => {
    const deleted = await markDeleted(tx, server.id, deletedAt, purgeAt)
    if (!deleted) throw new DocentError('server_not_found')
    await cancelIngests(tx, server.id)
    const about = { serverId: server.id, dedupeKey: purgeKey(server.id), runAt: purgeAt }
    await enqueue(tx, 'purge', { serverId: server.id }, about)
  })
  return { ok: true, retentionDays: RETENTION_DAYS, deletedAt: isoTime(deletedAt), purgeAt: isoTime(purgeAt) }
}

/** Dedupe key of a server's purge job, by which it is found on restore. */
const purgeKey = (serverId: string): string => `purge:${serverId}`

export const restoreServer: Handler<'servers.restore'> = async ({ deps, actor, server }) => {
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
  if (!restored) throw new DocentError('server_not_found')
  deps.wakeWorker()
  return presentDetail(deps, restored)
}

/**
 * The id of the account's server with this id or slug, for operations that take ids only. A name of no server stays as
 * it is. Scope is not checked here: the operation refuses servers outside of it.
 */
export async function resolveServerId(
  { store }: Pick<OperationDeps, 'store'>,
  { accountId }: Actor,
  idOrSlug: string,
): Promise<string> {
  const server = await findServer(store.read, accountId, idOrSlug)
  return server?.id ?? idOrSlug
}
