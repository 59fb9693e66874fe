import type { ResourceName } from '@docent/contract/operation'
import type { Actor } from '#auth/authenticate.ts'
import { type Vault, isAtAddress } from '#auth/vault.ts'
import { DocentError, found } from '#errors.ts'
import { readAddress } from '#net/check-url.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import { listApprovals, openApprovals } from '#store/accounts/approvals.ts'
import { findActiveConfiguration, findConfigurationOfAccount } from '#store/accounts/developers.ts'
import { findGrant, findOwnClient } from '#store/accounts/grants.ts'
import { findLiveKey, findSession, findTokenOfServer, type SessionHolder } from '#store/accounts/keys.ts'
import { findInvitation, findMember } from '#store/accounts/people.ts'
import { findPushes } from '#store/sources/pushes.ts'
import { hashSecret } from '#auth/secret.ts'
import { findSiteAccess } from '#store/accounts/site-access.ts'
import { findPurchase } from '#store/accounts/purchases.ts'
import { findLoggedCall } from '#store/calls/read-calls.ts'
import type { Store } from '#store/db.ts'
import { hasFailedJob } from '#store/jobs/job-report.ts'
import { findCustomTool } from '#store/servers/custom-tools.ts'
import { findPin } from '#store/servers/pins.ts'
import { findRule } from '#store/servers/retrieval-rules.ts'
import { type ServerRow, findAnyServer, findServer, findUnpurged } from '#store/servers/servers.ts'
import { findLiveSource, findSource, listSources } from '#store/sources/sources.ts'
import { findDeliveryOf } from '#store/webhooks/deliveries.ts'
import { findWebhook } from '#store/webhooks/webhooks.ts'
import { hostName } from '#upstream/code-host.ts'

/** Path parameters and other input of a request, and the scope of the look-up. */
type Asked = {
  store: Store
  vault: Vault
  actor: Actor | null
  path: Readonly<Record<string, string>>
  rest: Readonly<Record<string, unknown>>
}

/** The caller's account. No account has the empty id of an anonymous caller. */
const accountOf = (actor: Actor | null): string => actor?.accountId ?? ''

/** Whose sessions the caller sees: the person's; with a key, those in the account. */
export const sessionHolder = (actor: Actor | null): SessionHolder =>
  actor?.personId ? { personId: actor.personId } : { accountId: accountOf(actor) }

/** Whose connections the caller sees: all of the account, or those of a member who is no owner. */
export const grantHolder = (actor: Actor | null) => ({
  accountId: accountOf(actor),
  personId: actor?.role === 'owner' ? null : (actor?.personId ?? ''),
})

const isInScope = (actor: Actor | null, serverId: string): boolean => actor?.serverIds?.has(serverId) ?? true

/**
 * Resolves path parameters by the operation's `resource`. Each finder returns members of the call that the handler
 * gets. A resource of another account, outside the key's scope, or nonexistent throws the same 404.
 */
export const resources = {
  server: async (asked: Asked) => ({ server: await findVisible(asked, asked.path['id']) }),

  /** Includes deleted servers until their purge. */
  restorableServer: async ({ store, actor, path: { id = '' } }: Asked) => {
    const server = await findUnpurged(store.read, accountOf(actor), id, await store.now())
    return { server: inScope(actor, server) }
  },

  /** A request without a server id gets none. Input validation refuses it before the handler runs. */
  serverInBody: async (asked: Asked) => {
    const { serverId } = asked.rest
    const isNamed = typeof serverId === 'string' && serverId !== ''
    return { server: isNamed ? await findVisible(asked, serverId) : (undefined as unknown as ServerRow) }
  },

  source: async (asked: Asked) => {
    const server = await findVisible(asked, asked.path['id'])
    const source = await findSource(asked.store.read, server.id, asked.path['sourceId'] ?? '')
    return { server, source: found(source, 'source_not_found') }
  },

  /** The source is null if the server has none that the body names. */
  sourceInBody: async (asked: Asked) => {
    const server = await findVisible(asked, asked.path['id'])
    return { server, source: (await findNamedSource(asked, server.id, asked.rest)) ?? null }
  },

  accessToken: async (asked: Asked) => {
    const server = await findVisible(asked, asked.path['id'])
    const accessToken = await findTokenOfServer(asked.store.read, server.id, asked.path['tokenId'] ?? '')
    return { server, accessToken: found(accessToken, 'access_token_not_found') }
  },

  connection: async ({ store, actor, path: { connectionId = '' } }: Asked) => ({
    connection: found(await findGrant(store.read, grantHolder(actor), connectionId), 'connection_not_found'),
  }),

  oauthClient: async ({ store, actor, path: { oauthClientId = '' } }: Asked) => ({
    oauthClient: found(await findOwnClient(store.read, accountOf(actor), oauthClientId), 'oauth_client_not_found'),
  }),

  member: async ({ store, actor, path: { memberId = '' } }: Asked) => ({
    member: found(await findMember(store.read, accountOf(actor), memberId), 'member_not_found'),
  }),

  invitation: async ({ store, actor, path: { invitationId = '' } }: Asked) => {
    const key = { id: invitationId, accountId: accountOf(actor) }
    return { invitation: found(await findInvitation(store.read, key, store.clock()), 'invitation_not_found') }
  },

  approval: async ({ store, actor, path: { approvalId = '' } }: Asked) => {
    const since = openApprovals(store.clock())
    const [approval] = await listApprovals(store.read, accountOf(actor), since, approvalId)
    return { approval: found(approval, 'approval_not_found') }
  },

  apiKey: async ({ store, actor, path: { keyId = '' } }: Asked) => ({
    apiKey: found(await findLiveKey(store.read, accountOf(actor), keyId), 'api_key_not_found'),
  }),

  /** Any host with readable private repositories, under the name used to link accounts. */
  codeHost: async ({ path: { host = '' } }: Asked) => {
    const codeHost = hostName(host)
    if (!isHost(codeHost)) throw new DocentError('code_host_not_found')
    return { codeHost }
  },

  pushedSource: async ({ store, path: { token = '' } }: Asked) => {
    const pushes = found(await findPushes(store.read, { tokenHash: hashSecret(token) }), 'push_address_not_found')
    return {
      pushedSource: {
        pushes,
        source: found(await findLiveSource(store.read, pushes.sourceId), 'push_address_not_found'),
      },
    }
  },

  siteAccess: async ({ store, actor, path: { siteAccessId: id = '' } }: Asked) => ({
    siteAccess: found(await findSiteAccess(store.read, { accountId: accountOf(actor), id }), 'site_access_not_found'),
  }),

  purchase: async ({ store, actor, path: { purchaseId = '' } }: Asked) => ({
    purchase: found(await findPurchase(store.read, purchaseId, accountOf(actor)), 'purchase_not_found'),
  }),

  webhook: async (asked: Asked) => ({ webhook: await findOwnWebhook(asked) }),

  delivery: async (asked: Asked) => {
    const webhook = await findOwnWebhook(asked)
    const delivery = await findDeliveryOf(asked.store.read, webhook.id, asked.path['deliveryId'] ?? '')
    return { delivery: found(delivery, 'delivery_not_found') }
  },

  anyPurchase: async ({ store, path: { purchaseId = '' } }: Asked) => ({
    purchase: found(await findPurchase(store.read, purchaseId), 'purchase_not_found'),
  }),

  /** Visible to every key of the account. Selections of tools name it with the prefix `custom:`. */
  customTool: async ({ store, actor, path: { toolId = '' } }: Asked) => ({
    customTool: found(
      await findCustomTool(store.read, accountOf(actor), toolId.replace(/^custom:/, '')),
      'custom_tool_not_found',
    ),
  }),

  rule: async ({ store, actor, path: { ruleId = '' } }: Asked) => {
    const rule = found(await findRule(store.read, accountOf(actor), ruleId), 'rule_not_found')
    if (!isInScope(actor, rule.serverId)) throw new DocentError('rule_not_found')
    return { rule }
  },

  pin: async (asked: Asked) => {
    const server = await findVisible(asked, asked.path['id'])
    return {
      server,
      pin: found(await findPin(asked.store.read, server.id, asked.path['pinId'] ?? ''), 'pin_not_found'),
    }
  },

  /** From the request log, which expires. */
  call: async (asked: Asked) => {
    const server = await findVisible(asked, asked.path['id'])
    const call = await findLoggedCall(asked.store.read, server.id, asked.path['callId'] ?? '')
    return { server, call: found(call, 'call_not_found') }
  },

  /** The server and source named in the query or body, by id only. Input validation refuses a request without. */
  serverOfRules: async ({ store, actor, rest: { serverId, sourceId } }: Asked) => {
    if (typeof serverId !== 'string' || serverId === '') {
      return { server: undefined as unknown as ServerRow, source: null }
    }
    const server = found(await findServer(store.read, accountOf(actor), serverId), 'rule_server_not_found')
    if (server.id !== serverId || !isInScope(actor, serverId)) throw new DocentError('rule_server_not_found')
    if (typeof sourceId !== 'string') return { server, source: null }
    return { server, source: found(await findSource(store.read, server.id, sourceId), 'rule_source_not_found') }
  },

  /** One of the caller's sessions, if the body names one. */
  session: async ({ store, actor, rest: { sessionId } }: Asked) => {
    if (typeof sessionId !== 'string') return { session: null }
    return { session: found(await findSession(store.read, sessionHolder(actor), sessionId), 'session_not_found') }
  },

  failedJob: async ({ store, path: { jobId = '' } }: Asked) => {
    const isId = /^\d{1,15}$/.test(jobId)
    if (!isId || !(await hasFailedJob(store.read, Number(jobId)))) throw new DocentError('job_not_found')
    return { jobId: Number(jobId) }
  },

  anyAccount: async ({ store, path: { accountId = '' } }: Asked) => ({
    account: found(await findAccount(store.read, accountId), 'account_not_found'),
  }),

  /** A widget configuration. Every page may look for one by its id. */
  configuration: async ({ store, path: { configurationId = '' } }: Asked) => ({
    configuration: await activeConfiguration(store, configurationId),
  }),

  ownConfiguration: async ({ store, actor, path: { configurationId = '' } }: Asked) => {
    const own = await findConfigurationOfAccount(store.read, accountOf(actor), configurationId)
    return { ownConfiguration: found(own, 'configuration_not_found') }
  },

  /** Undefined for a request without an id, which input validation refuses before the handler runs. */
  configurationInBody: async ({ store, rest: { configurationId: id } }: Asked) => {
    type Active = Awaited<ReturnType<typeof activeConfiguration>>
    const isNamed = typeof id === 'string'
    return { configuration: isNamed ? await activeConfiguration(store, id) : (undefined as unknown as Active) }
  },
} satisfies Record<ResourceName, (asked: Asked) => Promise<object>>

async function activeConfiguration({ read }: Store, id: string) {
  return found(await findActiveConfiguration(read, id), 'configuration_not_found')
}

/** A dotted name or a numeric address, with an optional port. */
function isHost(text: string): boolean {
  const url = text.length <= 253 && URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : null
  return url !== null && url.host === text && /[.:]/.test(url.hostname)
}

async function findVisible({ store, actor }: Asked, idOrSlug = ''): Promise<ServerRow> {
  const server = actor
    ? await findServer(store.read, actor.accountId, idOrSlug)
    : await findAnyServer(store.read, idOrSlug)
  return inScope(actor, server)
}

/** The source that matches the id and the address that are given. */
async function findNamedSource({ store, vault }: Asked, serverId: string, { sourceId, url }: Asked['rest']) {
  if (typeof sourceId !== 'string' && typeof url !== 'string') return undefined
  const read = typeof url === 'string' ? readAddress(url) : null
  const href = read !== null && 'address' in read ? read.address.href : url
  const meant = (await listSources(store.read, serverId)).filter(
    (source) =>
      (sourceId === undefined || source.id === sourceId) &&
      (typeof href !== 'string' || isAtAddress(vault, source, href)),
  )
  // Older servers can still have both forms of an address.
  return meant.find((each) => each.url === href) ?? meant[0]
}

async function findOwnWebhook({ store, actor, path: { webhookId = '' } }: Asked) {
  return found(await findWebhook(store.read, accountOf(actor), webhookId), 'webhook_not_found')
}

function inScope(actor: Actor | null, row: ServerRow | undefined): ServerRow {
  const server = found(row, 'server_not_found')
  if (!isInScope(actor, server.id)) throw new DocentError('server_not_found')
  return server
}
