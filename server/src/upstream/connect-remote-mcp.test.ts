import { beforeEach, describe, expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createTestNet, keepOpen } from '../../test/support/lib/keep-open.ts'
import { type RemoteMcp, startRemoteMcp } from '../../test/support/sites/remote-mcp.ts'
import { fakeMcp } from '../../test/support/mcp/mcp-fakes.ts'
import { serveMcp } from '../../test/support/mcp/serve-mcp.ts'
import { type RemoteCredential, connectRemoteMcp, listRemoteTools } from './connect-remote-mcp.ts'

const SECRET = 'canary-secret-0123456789'

const net = await keepOpen(createTestNet({ idleMs: 500 }))
const remote = await keepOpen(startRemoteMcp())
beforeEach(() => Object.assign(remote, { lock: null, misbehave: null, seen: [] }))

const list = (credential: RemoteCredential | null, url = remote.url) =>
  listRemoteTools(() => connectRemoteMcp({ net, version: '1.0.0' }, { url, credential }))
const bearer: RemoteCredential = { headerName: 'Authorization', secret: SECRET }

describe('tool list of a remote MCP server', () => {
  test('lists tools over the older revisions', async () => {
    expect(await list(null)).toEqual(['alpha', 'beta'])
  })

  test('lists tools over the stateless revision', async () => {
    const { handle } = fakeMcp()
    await using modern = await serveMcp(handle)
    expect(await list(null, modern.url)).toEqual(['search_docs', 'get_code_examples', 'ask_question'])
  })

  test.each<[string, RemoteCredential, string, string]>([
    ['a bare token as a bearer', bearer, 'authorization', `Bearer ${SECRET}`],
    ['a custom scheme, unchanged', { ...bearer, secret: `Basic ${SECRET}` }, 'authorization', `Basic ${SECRET}`],
    ['a key in the X-API-Key header', { headerName: 'X-API-Key', secret: SECRET }, 'x-api-key', SECRET],
  ])('authenticates with %s', async (_, credential, header, value) => {
    remote.lock = { header, value }
    expect(await list(credential)).toEqual(['alpha', 'beta'])
    expect(remote.seen.length).toBeGreaterThan(0)
    for (const headers of remote.seen) expect(headers[header]).toBe(value)
  })
})

describe('remote MCP server', () => {
  test.each([401, 403])('reports status %i as refused', async (status) => {
    remote.misbehave = (request, response) =>
      void response.writeHead(status).end(JSON.stringify({ error: request.headers['authorization'] }))
    const error = await list(bearer).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'UpstreamError', reason: 'refused' })
    expect((error as Error).message).toMatch(
      new RegExp(`^127\\.0\\.0\\.1:\\d+ refused the credential \\(${status}\\)\\.$`),
    )
  })

  test.each<[string, NonNullable<RemoteMcp['misbehave']>, string]>([
    ['breaks', (_, response) => void response.writeHead(500).end('oops'), 'it answered 500'],
    [
      'is a website',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'did not',
    ],
    [
      'sends nonsense',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'not',
    ],
    ['never answers', () => {}, 'could not be asked'],
    ['hangs up', (_, response) => void response.destroy(), 'could not be asked'],
    [
      'sends without end',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = () => void response.write(' '.repeat(1024 * 1024), more)
        more()
      },
      'larger than',
    ],
  ])('reports a failure if the server %s', async (_, misbehave, words) => {
    remote.misbehave = misbehave
    const impatient = createNetClient({
      allowNetworks: parseNetworks('127.0.0.0/8'),
      userAgent: 'DocentTest/1',
      firstByteMs: 300,
    })
    await using _net = impatient
    const at = { url: remote.url, credential: bearer }
    const asking = listRemoteTools(() => connectRemoteMcp({ net: impatient, version: '1.0.0' }, at))
    const error = await asking.catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'UpstreamError', reason: 'failed' })
    expect((error as Error).message).toContain(words)
    expect((error as Error).message).not.toContain(SECRET)
  })

  test('drops the credential on a cross-origin redirect', async () => {
    await using elsewhere = await startRemoteMcp()
    remote.misbehave = (_, response) => void response.writeHead(307, { location: elsewhere.url }).end()
    await expect(list(bearer)).rejects.toMatchObject({ name: 'UpstreamError', reason: 'failed' })
    expect(elsewhere.seen).toEqual([])
  })

  test('does not contact a server in a private network', async () => {
    await using guarded = createNetClient({ allowNetworks: parseNetworks(''), userAgent: 'DocentTest/1' })
    const at = { url: remote.url, credential: bearer }
    const asking = listRemoteTools(() => connectRemoteMcp({ net: guarded, version: '1.0.0' }, at))
    await expect(asking).rejects.toMatchObject({ reason: 'failed', message: expect.stringContaining('private') })
    expect(remote.seen).toEqual([])
  })
})
