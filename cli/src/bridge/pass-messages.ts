import { createInterface } from 'node:readline'
import { META, RPC } from '@docent/server/mcp/protocol/message.ts'
import { isObject, parseJson } from '@docent/server/lib/objects.ts'
import { EventSourceParserStream } from 'eventsource-parser/stream'

type Message = Record<string, unknown>

type Bridge = {
  url: string
  /** Access token of a private server, or API key for the endpoint of the account. */
  credential: string | null
  input: NodeJS.ReadableStream
  fetch: typeof fetch
  write(text: string): void
  /** Tells people of a failure that no request waits for. */
  report(text: string): void
}

type Open = Omit<Bridge, 'write'> & {
  write(message: unknown): void
  /** The revision that `initialize` agreed on. Null before, and for clients of stateless revisions. */
  version: string | null
  /** Requests without an answer yet. */
  running: Map<unknown, AbortController>
}

/**
 * Passes the messages of a client that speaks MCP over standard input and output on to an endpoint over HTTP. Ends
 * after the last answer when the input has ended, and at once when the signal aborts. Imports little, because bundles
 * for desktop clients contain it.
 */
export async function passMessages(bridge: Bridge, signal: AbortSignal): Promise<void> {
  const write = (message: unknown) => bridge.write(`${JSON.stringify(message)}\n`)
  const to: Open = { ...bridge, write, version: null, running: new Map() }
  const passing = new Set<Promise<void>>()
  for await (const line of createInterface({ input: bridge.input, signal })) {
    if (line.trim() === '') continue
    const passed: Promise<void> = pass(to, line, signal).finally(() => passing.delete(passed))
    passing.add(passed)
  }
  await Promise.all(passing)
}

/** Passes a line on. Each of its requests is answered, also if the endpoint fails, unless it is cancelled. */
async function pass(to: Open, line: string, signal: AbortSignal): Promise<void> {
  const messages = [parseJson(line)].flat().filter(isObject)
  const [first] = messages
  if (!first) return to.write(errorTo(null, RPC.parseError, 'The line is no JSON-RPC message.'))
  // Over HTTP, whoever closes the connection of a request cancels it.
  if (first['method'] === CANCELLED) return to.running.get(objectOf(first['params'])['requestId'])?.abort()
  const ids = messages.filter(({ id, method }) => id !== undefined && method !== undefined).map(({ id }) => id)
  const cancel = new AbortController()
  const either = AbortSignal.any([signal, cancel.signal])
  for (const id of ids) to.running.set(id, cancel)
  try {
    await relay(to, { first, line, ids }, either)
  } catch (error) {
    if (!either.aborted) fail(to, ids, error instanceof Error ? error.message : String(error))
  } finally {
    for (const id of ids) to.running.delete(id)
  }
}

const CANCELLED = 'notifications/cancelled'

/** Nobody waits for the answer to a notification. */
function fail(to: Open, ids: readonly unknown[], text: string): void {
  if (ids.length === 0) to.report(text)
  for (const id of ids) to.write(errorTo(id, RPC.internalError, text))
}

async function relay(to: Open, sent: Sent, signal: AbortSignal): Promise<void> {
  for await (const answer of post(to, sent, signal)) {
    if (sent.first['method'] === 'initialize') to.version = agreedVersion(answer) ?? to.version
    to.write(answer)
  }
}

type Sent = { first: Message; line: string; ids: readonly unknown[] }

async function* post(to: Open, { first, line, ids }: Sent, signal: AbortSignal): AsyncGenerator {
  // A redirected POST would lose its body.
  const init = { method: 'POST', headers: headersFor(to, first), body: line, signal, redirect: 'manual' } as const
  const response = await to.fetch(to.url, init).catch((error: unknown) => {
    signal.throwIfAborted()
    const why = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    throw new Error(`${to.url} cannot be reached${why}. Is the service running, and is the address right?`)
  })
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '' || !response.ok) yield answerOf(response, parseJson(text), ids)
    else if (ids.length > 0) throw new Error('The endpoint gave no answer.')
    return
  }
  const open = new Set(ids)
  const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events ?? []) {
    const message = answerOf(response, parseJson(data), ids)
    open.delete(objectOf(message)['id'])
    yield message
  }
  if (open.size > 0) throw new Error('The endpoint ended its answer too early.')
}

/** The headers that repeat parts of a message of a stateless revision, so that proxies need not read it. */
function headersFor({ credential, version }: Open, { method, params }: Message): Record<string, string> {
  const { _meta: meta, name, uri } = objectOf(params)
  const stateless = objectOf(meta)[META.protocolVersion]
  const repeated = name ?? uri
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
    ...(typeof stateless !== 'string'
      ? version !== null && { 'mcp-protocol-version': version }
      : {
          'mcp-protocol-version': headerValue(stateless),
          'mcp-method': headerValue(String(method)),
          ...(typeof repeated === 'string' && { 'mcp-name': headerValue(repeated) }),
        }),
  }
}

/** Base64 in the form of the specification, for text that a header cannot hold or would change. */
function headerValue(text: string): string {
  const isPlain = /^[\x20-\x7e]+$/.test(text) && text === text.trim() && !text.startsWith('=?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/**
 * A message of the endpoint. A refusal before a request was read has no id, and gets that of the only one. Throws for
 * anything else.
 */
function answerOf({ status }: Response, body: unknown, ids: readonly unknown[]): Message | unknown[] {
  if (Array.isArray(body)) return body
  const { jsonrpc, error, id, message } = objectOf(body)
  if (jsonrpc === '2.0') {
    const [only] = ids
    const isRefusal = error !== undefined && (id ?? null) === null && ids.length === 1
    return { ...objectOf(body), ...(isRefusal && { id: only }) }
  }
  const why = [message, error].find((text) => typeof text === 'string')
  throw new Error(`The endpoint answered ${status}${why ? `: ${why}` : ', and not as an MCP endpoint does.'}`)
}

function agreedVersion(answer: unknown): string | null {
  const { protocolVersion } = objectOf(objectOf(answer)['result'])
  return typeof protocolVersion === 'string' ? protocolVersion : null
}

const errorTo = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

const objectOf = (value: unknown): Message => (isObject(value) ? value : {})
