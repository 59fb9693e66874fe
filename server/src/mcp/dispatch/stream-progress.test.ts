import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dispatch } from './dispatch.ts'
import { type Endpoint, type EndpointTool, listTools } from './endpoint.ts'
import { serialiseResult } from '../definition/tool-result.ts'
import { READ_ONLY } from '../definition/tool.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { OPEN_HOOKS } from '../../../test/support/mcp/open-hooks.ts'
import { MODERN_META } from '../../../test/support/mcp/mcp-fakes.ts'

const BOTH = 'application/json, text/event-stream'

/** An endpoint with one tool, which runs `work`. */
function endpointWith(work: (report?: (message: string) => void) => Promise<void>): Endpoint {
  const tool: EndpointTool = {
    listed: { name: 'build', title: 'Build', description: '', inputSchema: { type: 'object' }, annotations: READ_ONLY },
    prepare: () => async (form, _signal, report) => {
      await work(report)
      return serialiseResult({ content: [{ type: 'text', text: 'Built.' }], outcome: 'answered' }, form)
    },
  }
  return {
    info: { name: 'test', title: 'Test', version: '1' },
    instructions: '',
    visibility: 'public',
    tools: [tool],
    listTools: (form) => listTools([tool], form),
    structuredOutput: false,
    reportsProgress: true,
    legacyFailures: 'result',
    origins: { own: 'http://127.0.0.1', allowed: [] },
    hooks: { ...OPEN_HOOKS, reportFailure: () => undefined },
  }
}

type Sent = { accept?: string; token?: unknown; isModern?: boolean }

function send(endpoint: Endpoint, { accept = BOTH, token = 7, isModern = false }: Sent = {}) {
  const _meta = { ...(isModern ? MODERN_META : {}), ...(token === null ? {} : { progressToken: token }) }
  const headers = {
    accept,
    ...(isModern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'build' } : {}),
  }
  const params = { name: 'build', arguments: {}, _meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return dispatch(endpoint, { headers: new Headers(headers), body, address: '192.0.2.1' })
}

const inSteps = async (report?: (message: string) => void) => {
  for (const step of ['Reading', 'Designing']) {
    report?.(step)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const messagesOf = (text: string) => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))

describe.each([false, true])('a call that reports progress (modern: %s)', (isModern) => {
  test.each([7, 0, 'a token'])('answers a client with the progress token %j by a stream', async (token) => {
    const { status, headers, body, stream } = await send(endpointWith(inSteps), { token, isModern })
    expect([status, headers['content-type'], body]).toEqual([200, 'text/event-stream', null])
    const [first, second, last, ...more] = messagesOf((await Array.fromAsync(stream ?? [])).join(''))
    const step = (progress: number, message: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress, message },
    })
    expect([first, second]).toEqual([step(1, 'Reading'), step(2, 'Designing')])
    expect(last).toMatchObject({ id: 1, result: { content: [{ text: 'Built.' }] } })
    expect(more).toEqual([])
  })

  test.each([
    ['no token', { token: null }],
    ['a token of another type', { token: 1.5 }],
    ['an Accept header without streams', { accept: 'application/json' }],
    ['any Accept header', { accept: '*/*' }],
  ])('answers a client with %s by JSON', async (_, sent) => {
    const { headers, body, stream } = await send(endpointWith(inSteps), { ...sent, isModern })
    expect([headers['content-type'], stream]).toEqual(['application/json', undefined])
    expect(JSON.parse(Buffer.from(body ?? '').toString())).toMatchObject({ result: { content: [{ text: 'Built.' }] } })
  })
})

test('answers a call without progress reports by plain JSON with its status', async () => {
  const { headers, body } = await send(endpointWith(async () => undefined))
  expect([headers['content-type'], typeof body]).toEqual(['application/json', 'object'])
  const unsupported = endpointWith(inSteps)
  const params = { name: 'build', _meta: { ...MODERN_META, progressToken: 1 } }
  const request = { headers: new Headers({ accept: BOTH }), address: '192.0.2.1' }
  const body_ = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect((await dispatch(unsupported, { ...request, body: body_ })).status).toBe(400)
})

test('sends an error after the first report as the last message of the stream', async () => {
  const failing = endpointWith(async (report) => {
    report?.('Reading')
    await new Promise((resolve) => setTimeout(resolve, 1))
    throw new Error('a bug')
  })
  const { stream } = await send(failing)
  const messages = messagesOf((await Array.fromAsync(stream ?? [])).join(''))
  expect(messages.at(-1)).toMatchObject({ id: 1, result: { isError: true } })
})

test('sends an outage after the first report as an error that says when to try again', async () => {
  const failing = endpointWith(async (report) => {
    report?.('Reading')
    await new Promise((resolve) => setTimeout(resolve, 1))
    throw new StoreUnavailableError('away', new Error('gone'))
  })
  const { stream } = await send(failing)
  const last = messagesOf((await Array.fromAsync(stream ?? [])).join('')).at(-1)
  expect(last).toMatchObject({ id: 1, error: { code: -32603, data: { reason: 'store_unavailable', retryAfter: 5 } } })
})

describe('a silent stream', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('sends a comment on a silent stream every 15 seconds, so that proxies keep it open', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = endpointWith(async (report) => {
      report?.('Reading')
      await promise
    })
    const { stream } = await send(slow)
    const parts: string[] = []
    const reading = (async () => {
      for await (const part of stream ?? []) parts.push(part)
    })()
    await vi.advanceTimersByTimeAsync(31_000)
    expect(parts.filter((part) => part.startsWith(':'))).toHaveLength(2)
    resolve()
    await reading
    expect(messagesOf(parts.join('')).at(-1)).toMatchObject({ id: 1 })
  })
})
