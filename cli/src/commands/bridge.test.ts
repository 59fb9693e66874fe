import { once } from 'node:events'
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { fakeMcp } from '../../../server/test/support/mcp/mcp-fakes.ts'
import { serveMcp } from '../../../server/test/support/mcp/serve-mcp.ts'
import { ERAS } from '../../../server/test/support/service/account-client.ts'
import { writeProfiles } from '../profiles/profiles-file.ts'
import { runCli } from '../run-cli.ts'
import { COMPILED_CODE, TEST_ENVIRONMENT } from '../spawn-cli.ts'

const PROGRAM = join(import.meta.dirname, '../../../dist/server/docent.mjs')
const privateServer = () =>
  fakeMcp({
    server: { visibility: 'private' },
    deps: {
      verifyAccessToken: async (_id, bearer) =>
        bearer === 'dat_right' ? 'ok' : bearer === null ? 'missing_token' : 'invalid_token',
    },
  })

describe.each(ERAS)('bridge to a private server, with the official client ($era)', ({ mode, version }) => {
  test('connects, lists and calls', async () => {
    const { handle } = privateServer()
    const versions: (string | null)[] = []
    await using server = await serveMcp((each) => {
      versions.push(each.headers.get('mcp-protocol-version'))
      return handle(each)
    })
    const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode } })
    const env = { ...COMPILED_CODE, ...TEST_ENVIRONMENT, DOCENT_ACCESS_TOKEN: 'dat_right' } as Record<string, string>
    const args = [PROGRAM, 'bridge', server.url]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_docs')
    const { content } = await client.callTool({ name: 'search_docs', arguments: { query: 'oil', limit: 3 } })
    expect(content).toMatchObject([{ text: expect.stringContaining('[1] Sprockets › Oiling') }])
    await client.close()
    expect(versions.at(-1)).toBe(version)
  })
})

/** An endpoint that answers each message as told, and keeps its headers. */
async function serve(answer: (message: any, response: ServerResponse) => void) {
  const seen: IncomingHttpHeaders[] = []
  const http = createServer((request, response) => {
    seen.push(request.headers)
    readText(request).then(
      (body) => answer(JSON.parse(body), response),
      () => response.destroy(),
    )
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    seen,
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const stateless = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }

/** Sends the messages, and parses all lines of standard output. */
async function send(words: string[], messages: readonly unknown[], env: NodeJS.ProcessEnv = {}) {
  const input = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message))).join('\n')
  const running = runCli(['bridge', ...words], { input: `${input}\n`, env })
  const code = await running.ended
  const lines = running.stdout.split('\n').filter((line) => line !== '')
  return { code, answers: lines.map((line) => JSON.parse(line)), stderr: running.stderr }
}

const failure = (id: unknown, text: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message: expect.stringContaining(text) },
})
const echo = ({ id }: { id: unknown }, response: ServerResponse) =>
  void response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }, null, 2))

describe('bridge', () => {
  test('repeats method, name and version of stateless requests in headers', async () => {
    await using to = await serve(echo)
    const messages = [
      request(1, 'tools/call', { ...stateless, name: 'search_docs' }),
      request('2', 'resources/read', { ...stateless, uri: 'https://w.example/ölung' }),
      request(3, 'tools/list'),
    ]
    const { code, answers, stderr } = await send([`${to.origin}/mcp`, '--token', 'dat_x'], messages)
    expect([code, stderr]).toEqual([0, ''])
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 3, '2'].toSorted())
    const bearer = { authorization: 'Bearer dat_x', accept: 'application/json, text/event-stream' }
    const version = { ...bearer, 'mcp-protocol-version': '2026-07-28' }
    const name = `=?base64?${Buffer.from('https://w.example/ölung').toString('base64')}?=`
    const sent = (method: string | undefined) => to.seen.find((headers) => headers['mcp-method'] === method)
    expect(sent('tools/call')).toMatchObject({ ...version, 'mcp-name': 'search_docs' })
    expect(sent('resources/read')).toMatchObject({ ...version, 'mcp-name': name })
    expect(sent(undefined)).toMatchObject(bearer)
    expect(sent(undefined)).not.toHaveProperty('mcp-protocol-version')
  })

  test('writes each message of an event stream, and an error for one that ends early', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
    await using to = await serve(({ id }, response) => {
      response.setHeader('content-type', 'text/event-stream')
      const events = [progress, ...(id === 1 ? [{ jsonrpc: '2.0', id, result: {} }] : [])]
      response.end(events.map((event) => `event: message\ndata: ${JSON.stringify(event)}\n\n`).join(': quiet\n\n'))
    })
    const whole = await send([to.origin], [request(1, 'tools/call')])
    expect(whole.answers).toEqual([progress, { jsonrpc: '2.0', id: 1, result: {} }])
    const cut = await send([to.origin], [request(2, 'tools/call')])
    expect(cut.answers).toEqual([progress, failure(2, 'ended its answer too early')])
  })

  test('answers each request with an error when the endpoint does not', async () => {
    await using to = await serve(({ method }, response) => {
      if (method === 'moved') response.writeHead(307, { location: '/elsewhere' }).end()
      else if (method === 'busy') response.writeHead(429).end('{"error":"rate_limited","message":"Slow down."}')
      else if (method === 'empty') response.writeHead(202).end()
      else response.writeHead(502).end('<h1>Bad gateway</h1>')
    })
    const methods = ['moved', 'busy', 'empty', 'gone']
    const { code, answers } = await send([to.origin], [...methods.map((method) => request(method, method)), '{"id":'])
    expect(code).toBe(0)
    expect(to.seen).toHaveLength(4)
    expect(answers).toHaveLength(5)
    expect(answers).toEqual(
      expect.arrayContaining([
        failure('moved', 'answered 307'),
        failure('busy', 'answered 429: Slow down.'),
        failure('empty', 'gave no answer'),
        failure('gone', 'answered 502, and not as an MCP endpoint does'),
        { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The line is no JSON-RPC message.' } },
      ]),
    )
    const down = await send(
      ['http://127.0.0.1:1/'],
      [request(7, 'ping'), { jsonrpc: '2.0', method: 'notifications/x' }],
    )
    expect(down.answers).toEqual([failure(7, 'cannot be reached')])
    expect(down.stderr).toContain('cannot be reached')
  })

  test('gives the refusal of a private server the id of the request', async () => {
    await using server = await serveMcp(privateServer().handle)
    const { answers } = await send([server.url], [request('a', 'tools/list')])
    expect(answers).toMatchObject([{ id: 'a', error: { code: -32001, message: expect.stringContaining('private') } }])
  })

  test('waits no longer for a cancelled request, and writes nothing for it', async () => {
    await using to = await serve((message, response) => {
      if (message.method === 'fast') echo(message, response)
    })
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const { answers } = await send([to.origin], [request(1, 'slow'), request(2, 'fast'), cancel])
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
  })

  test('stops at once on a signal', async () => {
    const asked = Promise.withResolvers<void>()
    await using to = await serve(() => asked.resolve())
    const running = runCli(['bridge', to.origin], { input: `${JSON.stringify(request(1, 'slow'))}\n` })
    await asked.promise
    running.stop('SIGTERM')
    expect([await running.ended, running.stdout]).toEqual([130, ''])
  })

  test('sends a stored key to the endpoint of the account alone', async () => {
    await using to = await serve(echo)
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-bridge-'))
    const profile = { url: to.origin, apiKey: 'dk_live_stored', keyId: null, email: null }
    writeProfiles(folder.path, { current: 'here', profiles: { here: profile } })
    const env = { DOCENT_CONFIG_DIR: folder.path }
    for (const path of ['/api/headless/mcp', '/api/mcp/docs']) await send([to.origin + path], [request(1, 'ping')], env)
    expect(to.seen.map(({ authorization }) => authorization)).toEqual(['Bearer dk_live_stored', undefined])
  })

  test.each(['docs', 'ftp://docs.example.org/'])('refuses the address %s', async (url) => {
    const { code, answers, stderr } = await send([url], [])
    expect({ code, answers }).toEqual({ code: 2, answers: [] })
    expect(stderr).toContain('is not the address of an endpoint')
  })
})
