import type { ResourceName } from '@docent/contract/operation'
import { DocentError } from '#errors.ts'
import type { Actor } from '#auth/authenticate.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import { findLiveKey, findTokenOfServer, findSession } from '#store/accounts/keys.ts'
import {
  type ActiveConfiguration,
  findActiveConfiguration,
  findConfigurationOfAccount,
} from '#store/accounts/developers.ts'
import { findPurchase } from '#store/accounts/purchases.ts'
import { findCustomTool } from '#store/servers/custom-tools.ts'
import type { Store } from '#store/db.ts'
import { hasFailedJob } from '#store/jobs/job-report.ts'
import { findLoggedCall } from '#store/calls/read-calls.ts'
import { findRule } from '#store/servers/retrieval-rules.ts'
import { type ServerRow, findAnyServer, findServer, findUnpurged } from '#store/servers/servers.ts'
import { findSource } from '#store/sources/sources.ts'
import { findDeliveryOf } from '#store/webhooks/deliveries.ts'
import { type WebhookRow, findWebhook } from '#store/webhooks/webhooks.ts'
import { hostName } from '#upstream/code-host.ts'

/** Scope of a look-up. */
type Reach = { store: Store; actor: Actor | null }

/**
 * Resolves path parameters by the operation's `resource`. Each finder returns members of the call that the handler
 * gets. A resource of another account, outside the key's scope, or nonexistent throws the same 404.
 */
export const resources = {
  server: async (reach: Reach, { id = '' }: PathParameters) => ({ server: await serverInReach(reach, id) }),

  /** Includes deleted servers until their purge. */
  restorableServer: async ({ store, actor }: Reach, { id = '' }: PathParameters) => {
    const server = actor ? await findUnpurged(store.read, actor.accountId, id, await store.now()) : undefined
    return { server: inScope(actor, server) }
  },

  /** A request without a server id gets none. Input validation refuses it before the handler runs. */
  serverInBody: async (reach: Reach, _path: PathParameters, { serverId }: Record<string, unknown>) => {
    const isNamed = typeof serverId === 'string' && serverId !== ''
    return { server: isNamed ? await serverInReach(reach, serverId) : (undefined as unknown as ServerRow) }
  },

  source: async (reach: Reach, { id = '', sourceId = '' }: PathParameters) => {
    const server = await serverInReach(reach, id)
    const source = await findSource(reach.store.read, server.id, sourceId)
    if (!source) throw new DocentError('source_not_found')
    return { server, source }
  },

  accessToken: async (reach: Reach, { id = '', tokenId = '' }: PathParameters) => {
    const server = await serverInReach(reach, id)
    const accessToken = await findTokenOfServer(reach.store.read, server.id, tokenId)
    if (!accessToken) throw new DocentError('access_token_not_found')
    return { server, accessToken }
  },

  apiKey: async ({ store, actor }: Reach, { keyId = '' }: PathParameters) => {
    const apiKey = actor ? await findLiveKey(store.read, actor.accountId, keyId) : undefined
    if (!apiKey) throw new DocentError('api_key_not_found')
    return { apiKey }
  },

  /** Any host with readable private repositories, under the name used to link accounts. */
  codeHost: async (_: Reach, { host = '' }: PathParameters) => {
    const codeHost = hostName(host)
    if (!isHost(codeHost)) throw new DocentError('code_host_not_found')
    return { codeHost }
  },

  purchase: async ({ store, actor }: Reach, { purchaseId = '' }: PathParameters) => {
    const purchase = actor ? await findPurchase(store.read, purchaseId, actor.accountId) : undefined
    if (!purchase) throw new DocentError('purchase_not_found')
    return { purchase }
  },

  webhook: async (reach: Reach, path: PathParameters) => ({ webhook: await webhookInReach(reach, path) }),

  delivery: async (reach: Reach, path: PathParameters) => {
    const webhook = await webhookInReach(reach, path)
    const delivery = await findDeliveryOf(reach.store.read, webhook.id, path['deliveryId'] ?? '')
    if (!delivery) throw new DocentError('delivery_not_found')
    return { delivery }
  },

  /** Of any account, for the operator. */
  anyPurchase: async ({ store, actor }: Reach, { purchaseId = '' }: PathParameters) => {
    const purchase = actor?.isOperator ? await findPurchase(store.read, purchaseId) : undefined
    if (!purchase) throw new DocentError('purchase_not_found')
    return { purchase }
  },

  /** Visible to every key of the account. */
  customTool: async ({ store, actor }: Reach, { toolId = '' }: PathParameters) => {
    const customTool = actor ? await findCustomTool(store.read, actor.accountId, toolId) : undefined
    if (!customTool) throw new DocentError('custom_tool_not_found')
    return { customTool }
  },

  rule: async ({ store, actor }: Reach, { ruleId = '' }: PathParameters) => {
    const rule = actor ? await findRule(store.read, actor.accountId, ruleId) : undefined
    if (!rule || (actor?.serverIds && !actor.serverIds.has(rule.serverId))) throw new DocentError('rule_not_found')
    return { rule }
  },

  /** From the request log, which expires. */
  call: async (reach: Reach, { id = '', callId = '' }: PathParameters) => {
    const server = await serverInReach(reach, id)
    const call = await findLoggedCall(reach.store.read, server.id, callId)
    if (!call) throw new DocentError('call_not_found')
    return { server, call }
  },

  serverOfRules,

  /** One of the account's sessions, if the body names one. */
  session: async ({ store, actor }: Reach, _path: PathParameters, { sessionId }: Record<string, unknown>) => {
    if (!actor || typeof sessionId !== 'string') return { session: null }
    const session = await findSession(store.read, actor.accountId, sessionId)
    if (!session) throw new DocentError('session_not_found')
    return { session }
  },
  failedJob: async ({ store }: Reach, { jobId = '' }: PathParameters) => {
    const isId = /^\d{1,15}$/.test(jobId)
    if (!isId || !(await hasFailedJob(store.read, Number(jobId)))) throw new DocentError('job_not_found')
    return { jobId: Number(jobId) }
  },

  anyAccount: async ({ store }: Reach, { accountId = '' }: PathParameters) => {
    const account = await findAccount(store.read, accountId)
    if (!account) throw new DocentError('account_not_found')
    return { account }
  },

  /** A widget configuration. Every page may look for one by its id. */
  configuration: async ({ store }: Reach, { configurationId = '' }: PathParameters) => ({
    configuration: await activeConfiguration(store, configurationId),
  }),

  ownConfiguration: async ({ store, actor }: Reach, { configurationId = '' }: PathParameters) => {
    const own = actor ? await findConfigurationOfAccount(store.read, actor.accountId, configurationId) : undefined
    if (!own) throw new DocentError('configuration_not_found')
    return { ownConfiguration: own }
  },

  /** Undefined for a request without an id, which input validation refuses before the handler runs. */
  configurationInBody: async (
    { store }: Reach,
    _: PathParameters,
    { configurationId: id }: Record<string, unknown>,
  ) => {
    const isNamed = typeof id === 'string'
    return {
      configuration: isNamed ? await activeConfiguration(store, id) : (undefined as unknown as ActiveConfiguration),
    }
  },
} satisfies Record<ResourceName, Finder>

async function activeConfiguration({ read }: Store, id: string): Promise<ActiveConfiguration> {
  const configuration = await findActiveConfiguration(read, id)
  if (!configuration) throw new DocentError('configuration_not_found')
  return configuration
}

/**
 * The server named in the query or body, by id only, and the source if one is named. A request without a server id gets
 * none. Input validation refuses it before the handler runs.
 */
async function serverOfRules({ store, actor }: Reach, _path: PathParameters, rest: Record<string, unknown>) {
  const { serverId, sourceId } = rest
  if (!actor || typeof serverId !== 'string' || serverId === '') {
    return { server: undefined as unknown as ServerRow, source: null }
  }
  const server = await findServer(store.read, actor.accountId, serverId)
  const isVisible = server?.id === serverId && (!actor.serverIds || actor.serverIds.has(serverId))
  if (!isVisible) throw new DocentError('rule_server_not_found')
  if (typeof sourceId !== 'string') return { server, source: null }
  const source = await findSource(store.read, server.id, sourceId)
  if (!source) throw new DocentError('rule_source_not_found')
  return { server, source }
}

/** A dotted name or a numeric address, with an optional port. */
function isHost(text: string): boolean {
  const url = text.length <= 253 && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null
  return url !== null && url.host === text && /[.:]/.test(url.hostname)
}

type PathParameters = Readonly<Record<string, string>>
type Finder = (reach: Reach, path: PathParameters, rest: Record<string, unknown>) => Promise<object>

/** The live server, if it is visible to the caller. */
async function serverInReach({ store, actor }: Reach, idOrSlug: string): Promise<ServerRow> {
  const server = actor
    ? await findServer(store.read, actor.accountId, idOrSlug)
    : await findAnyServer(store.read, idOrSlug)
  return inScope(actor, server)
}

async function webhookInReach({ store, actor }: Reach, { webhookId = '' }: PathParameters): Promise<WebhookRow> {
  const webhook = actor ? await findWebhook(store.read, actor.accountId, webhookId) : undefined
  if (!webhook) throw new DocentError('webhook_not_found')
  return webhook
}

function inScope(actor: Actor | null, server: ServerRow | undefined): ServerRow {
  if (!server || (actor?.serverIds && !actor.serverIds.has(server.id))) throw new DocentError('server_not_found')
  return server
}
