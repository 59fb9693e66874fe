import { createInterface } from 'node:readline'
import { ACCOUNT_ENDPOINT_PATH } from '@docent/contract/account-tool'
import { META } from '@docent/server/mcp/dispatch/answer-request.ts'
import { RPC, isObject, parseJson } from '@docent/server/mcp/protocol/message.ts'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { fetchAsDocent } from '../open-client.ts'
import { selectInstance } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import { unreachable } from '../try/docent-api.ts'

type Wanted = { url: string; token?: string; profile?: string }
type Message = Record<string, unknown>

type Bridge = {
  url: string
  /** Access token of a private server, or API key for the endpoint of the account. */
  credential: string | null
  /** The revision that `initialize` agreed on. Null before, and for clients of stateless revisions. */
  version: string | null
  /** Requests without an answer yet. */
  running: Map<unknown, AbortController>
  write(message: unknown): void
  report(text: string): void
}

/**
 * `docent bridge`: connects a client that speaks MCP over standard input and output to an endpoint over HTTP. Ends
 * after the last answer when standard input has ended, and at once when it is asked to stop.
 */
export async function bridge(terminal: Terminal, wanted: Wanted): Promise<number> {
  const to: Bridge = {
    url: wanted.url,
    credential: credentialFor(terminal, wanted),
    version: null,
    running: new Map(),
    write: (message) => terminal.out(`${JSON.stringify(message)}\n`),
    report: (text) => terminal.err(`${text}\n`),
  }
  using stop = catchStop(terminal)
  const passing = new Set<Promise<void>>()
  for await (const line of createInterface({ input: terminal.stdin, signal: stop.signal })) {
    if (line.trim() === '') continue
    const passed: Promise<void> = pass(to, line, stop.signal).finally(() => passing.delete(passed))
    passing.add(passed)
  }
  await Promise.all(passing)
  return stop.signal.aborted ? EXIT.interrupted : EXIT.ok
}

/** A stored API key goes to the account-level endpoint of its own service only. Other endpoints take access tokens. */
function credentialFor(terminal: Terminal, { url, token, profile }: Wanted): string | null {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandError(`"${url}" is not the address of an endpoint. “docent servers list” shows yours.`, EXIT.usage)
  }
  const instance = selectInstance(terminal, profile)
  if (url.replace(/\/$/, '') === instance.url + ACCOUNT_ENDPOINT_PATH) return token ?? instance.apiKey
  return token ?? instance.accessToken
}

/** Passes a line on. Each of its requests is answered, also if the endpoint fails, unless it is cancelled. */
async function pass(to: Bridge, line: string, signal: AbortSignal): Promise<void> {
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
function fail(to: Bridge, ids: readonly unknown[], text: string): void {
  if (ids.length === 0) to.report(text)
  for (const id of ids) to.write(errorTo(id, RPC.internalError, text))
}

async function relay(to: Bridge, sent: Sent, signal: AbortSignal): Promise<void> {
  for await (const answer of post(to, sent, signal)) {
    if (sent.first['method'] === 'initialize') to.version = agreedVersion(answer) ?? to.version
    to.write(answer)
  }
}

type Sent = { first: Message; line: string; ids: readonly unknown[] }

async function* post(to: Bridge, { first, line, ids }: Sent, signal: AbortSignal): AsyncGenerator {
  // A redirected POST would lose its body.
  const init = { method: 'POST', headers: headersFor(to, first), body: line, signal, redirect: 'manual' } as const
  const response = await fetchAsDocent(to.url, init).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unreachable(to.url, error)
  })
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '' || !response.ok) yield answerOf(response, parseJson(text), ids)
    else if (ids.length > 0) throw new CommandError('The endpoint gave no answer.')
    return
  }
  const open = new Set(ids)
  const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events ?? []) {
    const message = answerOf(response, parseJson(data), ids)
    open.delete(objectOf(message)['id'])
    yield message
  }
  if (open.size > 0) throw new CommandError('The endpoint ended its answer too early.')
}

/** The headers that repeat parts of a message of a stateless revision, so that proxies need not read it. */
function headersFor({ credential, version }: Bridge, { method, params }: Message): Record<string, string> {
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
  throw new CommandError(`The endpoint answered ${status}${why ? `: ${why}` : ', and not as an MCP endpoint does.'}`)
}

function agreedVersion(answer: unknown): string | null {
  const { protocolVersion } = objectOf(objectOf(answer)['result'])
  return typeof protocolVersion === 'string' ? protocolVersion : null
}

const errorTo = (id: unknown, code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })

const objectOf = (value: unknown): Message => (isObject(value) ? value : {})
