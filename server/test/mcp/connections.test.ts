import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { MODERN_META } from '../support/mcp/mcp-fakes.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: CLIENT }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

async function makeServer(docent: Docent) {
  const body = { name: 'A', visibility: 'private', sources: [{ url: NOWHERE }] }
  const { slug, accessToken } = (await docent.request('POST', '/api/mcp/create', body)).body
  const send = (message: object, token: string | null = accessToken, headers: Record<string, string> = {}) =>
    docent.request('POST', `/api/mcp/${slug}`, message, { key: token, headers })
  const connectedAt = async () =>
    (await docent.request('GET', `/api/mcp/${slug}`)).body.lastConnectedAt as string | null
  const lastUsedAt = async () =>
    (await docent.request('GET', `/api/mcp/${slug}/access-tokens`)).body.tokens[0].lastUsedAt as string | null
  return { slug, send, connectedAt, lastUsedAt }
}

onSqliteAtLeast('connection of a client', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  test.each([
    ['initialize', INITIALIZE, {}],
    ['tools/list', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}],
    [
      'server/discover',
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: MODERN_META } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    ],
  ])('is known from its %s on, without a call', async (_, message, headers) => {
    const { send, connectedAt } = await makeServer(docent)
    await send(PING)
    expect((await send(message, 'dat_wrong', headers)).status).toBe(401)
    expect(await connectedAt()).toBeNull()
    const before = Date.now()
    expect((await send(message, undefined, headers)).body.error).toBeUndefined()
    await expect.poll(connectedAt).not.toBeNull()
    const first = (await connectedAt()) ?? ''
    expect(Date.parse(first)).toBeGreaterThan(before - 60_000)
    await send(message, undefined, headers)
    await expect.poll(connectedAt).not.toBe(first)
  })

  test('shows the use of a token, a key and a session in the lists right after the first request', async () => {
    const { send, lastUsedAt } = await makeServer(docent)
    expect(await lastUsedAt()).toBeNull()
    await send(PING)
    expect(await lastUsedAt()).not.toBeNull()
    const key = await docent.makeKey()
    const used = async () => (await docent.request('GET', '/api/keys')).body.keys.at(-1).lastUsedAt
    expect(await used()).toBeNull()
    await docent.request('GET', '/api/billing/usage', undefined, { key })
    expect(await used()).not.toBeNull()
  })
})
