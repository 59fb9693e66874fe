import { setTimeout as sleep } from 'node:timers/promises'
import { saveSiteAccess } from '#store/accounts/site-access.ts'
import { newSecret } from '#auth/secret.ts'
import { insertAccessToken } from '#store/accounts/keys.ts'
import { keepRequest } from '#store/accounts/approvals.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { insertGrant, insertOAuthClient, insertOAuthToken } from '#store/accounts/grants.ts'
import { writeCalls } from '#store/calls/write-calls.ts'
import type { Store } from '#store/db.ts'
import { insertCustomTool } from '#store/servers/custom-tools.ts'
import { insertPin } from '#store/servers/pins.ts'
import { insertRule } from '#store/servers/retrieval-rules.ts'
import type { Docent } from './harness.ts'
import { insertFailedJob } from '../database/insert-failed-job.ts'
import { openSessionOf } from './open-browser.ts'
import type { Site } from '../sites/site.ts'

export type FurnishedAccount = Awaited<ReturnType<typeof furnishAccount>>

/** An account with one thing of every kind. Its texts are `words`. */
export async function furnishAccount(docent: Docent, site: Site, email: string, words: string) {
  const key = await docent.makeKey(email)
  const create = async (name: string) => {
    const body = { name, description: words, sources: [{ url: `${site.url}/`, label: words }] }
    const made = (await docent.request('POST', '/api/mcp/create', body, { key })).body
    const progress = `/api/mcp/${made.slug}/crawl-next`
    while ((await docent.request('GET', progress, undefined, { key })).body.status === 'crawling') await sleep(20)
    return made
  }
  const [server, second, deleted] = [await create(words), await create(words), await create(words)]
  await docent.callTool(server.slug, 'search_docs', { query: 'welcome', canary: words })
  // Also flushes the request log.
  await docent.request('GET', `/api/analytics/${server.slug}/summary`, undefined, { key })
  await docent.request('DELETE', `/api/mcp/${deleted.serverId}`, undefined, { key })
  const { body } = await docent.request('GET', `/api/mcp/${server.slug}`, undefined, { key })
  const sourceId: string = body.sources[0].id
  const tag = words.length
  const { secret: sessionSecret, session } = await openSessionOf(docent, email)
  const ids = {
    id: server.serverId as string,
    serverId: server.serverId as string,
    sourceId,
    tokenId: `tok_${tag}`,
    toolId: `ct_${tag}`,
    ruleId: `rule_${tag}`,
    pinId: `pin_${tag}`,
    callId: `call_${tag}`,
    keyId: '',
    host: 'github.com',
    sessionId: session.id,
    connectionId: `con_${tag}`,
    oauthClientId: `oac_${tag}`,
    siteAccessId: `sit_${tag}`,
    accountId: '',
    memberId: '',
    invitationId: '',
    approvalId: `apr_${tag}`,
    jobId: '',
    configurationId: await configurationOf(docent, sessionSecret, words),
    ...(await webhookOf(docent, site, key, words)),
    purchaseId: await purchaseOf(docent, key, words),
    token: await pushTokenOf(docent, key, { id: server.serverId, sourceId }),
  }
  const invited = { email: `invited.${email}`, role: 'viewer' }
  ids.invitationId = (await docent.request('POST', '/api/members/invitations', invited, { key })).body.id
  await docent.inStore(async (store) => {
    ids.keyId = await keyIdOf(store, key)
    ids.accountId = (await findAccountByEmail(store.read, email))?.id ?? ''
    ids.memberId = session.personId
    ids.jobId = String(await insertFailedJob(store.write, { serverId: server.serverId, sourceId }))
    await fill(store, { ...ids, words })
  })
  return {
    key,
    sessionSecret,
    ids: ids as Record<string, string>,
    slug: server.slug,
    deleted: deleted.serverId,
    second: second.serverId,
  }
}

/** A widget configuration that any page may use. */
async function configurationOf(docent: Docent, sessionSecret: string, words: string): Promise<string> {
  const headers = { cookie: `docent_session=${sessionSecret}`, 'sec-fetch-site': 'same-origin' }
  const saved = await docent.request('POST', '/api/configurations', { name: words }, { key: null, headers })
  return saved.body.id as string
}

/** A webhook that is switched off, so that it delivers nothing while tests compare the tables, and its test delivery. */
async function webhookOf(docent: Docent, { url }: Site, key: string, name: string) {
  const made = await docent.request('POST', '/api/webhooks', { url, name, events: ['server.indexed'] }, { key })
  await docent.request('PATCH', `/api/webhooks/${made.body.id}`, { enabled: false }, { key })
  const webhookId = made.body.id as string
  const sent = await docent.request('POST', `/api/webhooks/${webhookId}/test`, {}, { key })
  return { webhookId, deliveryId: sent.body.id as string }
}

/** The last part of the address for pushes of a source. */
async function pushTokenOf(docent: Docent, key: string, { id, sourceId }: { id: string; sourceId: string }) {
  const made = await docent.request('POST', `/api/mcp/${id}/sources/${sourceId}/push`, undefined, { key })
  return (made.body.url as string).split('/').at(-1) ?? ''
}

/** An open request for a plan. */
async function purchaseOf(docent: Docent, key: string, words: string): Promise<string> {
  const made = await docent.request('POST', '/api/billing/purchases/plan', { plan: 'core', note: words }, { key })
  return made.body.id as string
}

async function keyIdOf({ read }: Store, key: string): Promise<string> {
  const query = read.selectFrom('apiKeys').select('id').where('last4', '=', key.slice(-4))
  return (await query.executeTakeFirstOrThrow()).id
}

type Ids = Record<
  | 'id'
  | 'sourceId'
  | 'tokenId'
  | 'toolId'
  | 'ruleId'
  | 'pinId'
  | 'callId'
  | 'connectionId'
  | 'oauthClientId'
  | 'siteAccessId'
  | 'approvalId'
  | 'keyId'
  | 'words',
  string
>

/** Inserts things that requests cannot create, or whose ids have to be known beforehand. */
async function fill({ write, read }: Store, ids: Ids): Promise<void> {
  const { id, sourceId, tokenId, toolId, ruleId, pinId, callId, words } = ids
  const server = await read.selectFrom('servers').select('accountId').where('id', '=', id).executeTakeFirstOrThrow()
  const times = { createdAt: 1, updatedAt: 1 }
  const { hash, last4 } = newSecret('dat_')
  await insertAccessToken(write, { id: tokenId, serverId: id, name: words, hash, last4, createdAt: 1 })
  const tool = { name: 'a', displayName: words, description: words, inputSchema: '{}', plan: null, error: null }
  await insertCustomTool(write, { id: toolId, accountId: server.accountId, status: 'ready', ...tool, ...times })
  const rule = { sourceId: null, naturalLanguage: words, enabled: 1, priority: 0, effects: '[]' }
  await insertRule(write, { id: ruleId, serverId: id, ...rule, ...times })
  const section = { sourceId, url: 'http://127.0.0.1:19151/', title: words, heading: words }
  const questions = JSON.stringify([words])
  await insertPin(write, { id: pinId, serverId: id, effect: 'first', questions, ...section, createdAt: 1 })
  const { accountId } = server
  const client = { id: ids.oauthClientId, accountId, name: words, redirectUris: '[]', secretHash: null }
  await insertOAuthClient(write, { ...client, createdAt: 1, lastUsedAt: null })
  const access = { accountId, origin: 'http://127.0.0.1:19151', kind: 'cookie' as const, sealed: words }
  await saveSiteAccess(write, { id: ids.siteAccessId, ...access, createdAt: 1, lastUsedAt: null })
  const allowed = { clientId: client.id, clientName: words, redirectUri: 'http://127.0.0.1/', scope: 'read' }
  const { id: personId } = await read
    .selectFrom('people')
    .select('id')
    .where('lastAccountId', '=', accountId)
    .executeTakeFirstOrThrow()
  await insertGrant(write, { id: ids.connectionId, accountId, personId, serverId: id, ...allowed, createdAt: 1 })
  const token = { hash: `hash_${words}`, grantId: ids.connectionId, kind: 'refresh' as const, expiresAt: 2 ** 50 }
  await insertOAuthToken(write, token)
  const asks = { id: ids.approvalId, accountId, keyId: ids.keyId, operation: 'servers.delete', thing: words }
  await keepRequest(write, { ...asks, hash: words, arguments: '{}', createdAt: Date.now(), approvedAt: null }, 20)
  const asked = { tool: 'search_docs', arguments: JSON.stringify({ query: words }), query: words, durationMs: 1 }
  const nothing = { clientName: null, clientVersion: null, error: null, confidence: null, segments: null }
  const asker = { configurationId: null, endUserId: null }
  const row = { id: callId, serverId: id, at: 1, day: 0, outcome: 'answered' as const, ...asked, ...nothing, ...asker }
  await writeCalls(write, [{ ...row, cited: [] }])
}
