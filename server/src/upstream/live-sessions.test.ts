import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestNet, keepOpen } from '../../test/support/lib/keep-open.ts'
import { type RemoteMcp, startRemoteMcp } from '../../test/support/sites/remote-mcp.ts'
import { connectRemoteMcp, createLiveSessions } from './connect-remote-mcp.ts'
import type { RemoteSession } from './remote-session.ts'

const LIMITS = { server: 2, account: 3, host: 4, all: 5 }
const one = { serverId: 'srv_1', accountId: 'acc_1' }
let remote: RemoteMcp

const net = await keepOpen(createTestNet())
beforeEach(async () => {
  remote = await startRemoteMcp()
})
afterEach(() => remote[Symbol.asyncDispose]())

const deps = () => ({ net, version: '1' })
const at = ({ url }: RemoteMcp, signal?: AbortSignal) => ({ url, credential: null, signal })

describe('live sessions', () => {
  test.each<[string, { serverId?: string; accountId?: string }[], string]>([
    ['server', [{}, {}], 'This server has 2 live calls under way'],
    ['account', [{}, {}, { serverId: 'srv_2' }], 'The servers of this account have 3 live calls under way'],
    ['host', [{}, {}, { serverId: 'srv_2' }, { serverId: 'srv_3', accountId: 'acc_2' }], 'has 4 live calls under way'],
  ])('limits sessions by %s, and frees the slot of an ended one', async (kind, callers, message) => {
    const open = createLiveSessions(deps(), LIMITS)
    const sessions = await Promise.all(callers.map((caller) => open({ ...one, ...caller }, at(remote))))
    const next = {
      server: { serverId: 'srv_1', accountId: 'acc_1' },
      account: { serverId: 'srv_9', accountId: 'acc_1' },
      host: { serverId: 'srv_9', accountId: 'acc_9' },
    }[kind as 'server' | 'account' | 'host']
    remote.seen.length = 0
    await expect(open(next, at(remote))).rejects.toMatchObject({
      name: 'UpstreamError',
      reason: 'failed',
      message: expect.stringContaining(`${message}, and no more are made at once. Try again in a moment.`),
    })
    expect(remote.seen).toEqual([])
    await sessions[0]?.[Symbol.asyncDispose]()
    sessions[0] = await open(next, at(remote))
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()))
  })

  test('limits sessions in total', async () => {
    await using other = await startRemoteMcp()
    const open = createLiveSessions(deps(), LIMITS)
    const sessions: RemoteSession[] = []
    const next = (to: RemoteMcp, n: number) => open({ serverId: `srv_${n}`, accountId: `acc_${n}` }, at(to))
    for (let n = 0; n < 4; n++) sessions.push(await next(remote, n))
    sessions.push(await next(other, 5))
    await expect(next(other, 6)).rejects.toThrow('Too many live calls are under way. Try again in a moment.')
    await sessions.pop()?.[Symbol.asyncDispose]()
    sessions.push(await next(other, 6))
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()))
  })

  test('frees the slot of a session that fails to open', async () => {
    remote.lock = { header: 'authorization', value: 'x' }
    const open = createLiveSessions(deps(), LIMITS)
    for (let again = 0; again < 6; again++) {
      await expect(open(one, at(remote))).rejects.toThrow('refused the credential')
    }
  })

  test('aborts the request and frees the slot when the caller leaves', async () => {
    const asked = Promise.withResolvers<[IncomingMessage, ServerResponse]>()
    remote.misbehave = (...given) => asked.resolve(given)
    const open = createLiveSessions(deps(), { ...LIMITS, server: 1 })
    const leaving = new AbortController()
    const opening = open(one, at(remote, leaving.signal))
    const [, response] = await asked.promise
    const closed = once(response, 'close')
    await expect(open(one, at(remote))).rejects.toThrow('live calls under way')
    leaving.abort(new Error('left'))
    await expect(opening).rejects.toThrow('left')
    await closed
    remote.misbehave = null
    await using _ = await open(one, at(remote))
  })
})

describe('hanging remote MCP server', () => {
  const connect = (more: object) => connectRemoteMcp(deps(), { ...at(remote), ...more })

  test('times out while connecting', async () => {
    remote.misbehave = () => {}
    await expect(connect({ connectMs: 200 })).rejects.toMatchObject({
      name: 'UpstreamError',
      message: expect.stringContaining('did not come to an end within'),
    })
  })

  test('times out while listing, but not before the limit', async () => {
    await using session = await connect({ connectMs: 10_000, listMs: 200 })
    expect((await session.listTools()).items).toHaveLength(2)
    remote.misbehave = () => {}
    await expect(session.listTools()).rejects.toThrow('did not come to an end within')
  })

  test('does not wait for a session that fails to end', async () => {
    let left = 0
    remote.misbehave = (request, response) => {
      if (request.method === 'DELETE') return void (left += 1)
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
      let body = ''
      request.on('data', (piece) => (body += String(piece)))
      request.on('end', () => response.end(JSON.stringify(initialized(body))))
    }
    const session = await connect({})
    await session[Symbol.asyncDispose]()
    expect(left).toBe(1)
  })
})

/** The response of a server of the older revisions, with a session. */
function initialized(body: string): object {
  const { id, method } = JSON.parse(body) as { id?: number; method: string }
  if (method !== 'initialize') return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Not found' } }
  const result = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'remote', version: '1' },
  }
  return { jsonrpc: '2.0', id, result }
}
