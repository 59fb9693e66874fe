import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { Operation } from '@docent/contract/operation'
import { z } from 'zod'
import type { DocentError } from '#errors.ts'
import type { McpResponse } from '#mcp/protocol/message.ts'
import type { Bindings } from './read-request.ts'

const compress = promisify(gzip)
/** Browsers take no answer for another type than it says. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }
/** For a year. Other names of the domain are not ours to decide about. */
const STRICT = { ...NO_SNIFFING, 'strict-transport-security': 'max-age=31536000' }

/** Headers of every answer: browsers keep to HTTPS where the public address does. */
export const protectiveHeaders = (baseUrl: string): Record<string, string> =>
  baseUrl.startsWith('https:') ? STRICT : NO_SNIFFING

/** Shorter answers fit into one packet with their headers. */
export const LEAST_BYTES = 1_000

/** Sends a value as JSON. Responses are private to the caller, and some contain secrets that are shown once. */
export async function answerJson(c: Context<Bindings>, value: object): Promise<Response> {
  const { body, headers } = await packJson(c, JSON.stringify(value), { headers: { 'cache-control': 'no-store' } })
  return c.body(body, 200, headers)
}

/** JSON with its headers, compressed if it is long and the client accepts that. A list of pages gets a tenth of its size. */
async function packJson(
  c: Context<Bindings>,
  text: string,
  { headers }: { headers: Readonly<Record<string, string>> },
) {
  const bytes = new TextEncoder().encode(text)
  return pack(bytes, { accepted: c.req.header('accept-encoding'), headers: { 'content-type': TYPE, ...headers } })
}

type Packing = { accepted: string | undefined; headers: Readonly<Record<string, string>> }

/** A body with its headers, compressed if it is long and the `Accept-Encoding` header allows that. */
export async function pack<Body extends Uint8Array>(body: Body, { accepted, headers }: Packing) {
  const all = { ...headers, vary: [headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ') }
  if (body.byteLength < LEAST_BYTES || !acceptsEncoding(accepted, 'gzip')) return { body, headers: all }
  return { body: new Uint8Array(await compress(body)), headers: { ...all, 'content-encoding': 'gzip' } }
}

const acceptsGzip = (c: Context<Bindings>): boolean => acceptsEncoding(c.req.header('accept-encoding'), 'gzip')

const TYPE = 'application/json'
/** Parts buffered before streaming: those of a one-slice list, plus one. */
const PARTS_AHEAD = 3

/** Sends slices of items like one `JSON.stringify`. Lists of more than one slice are streamed. */
export async function answerList(c: Context<Bindings>, slices: AsyncIterable<readonly unknown[]>): Promise<Response> {
  const parts = partsOf(slices)
  const ahead: string[] = []
  while (ahead.length < PARTS_AHEAD) {
    const { done, value } = await parts.next()
    if (done) {
      const { body, headers } = await packJson(c, ahead.join(''), { headers: { 'cache-control': 'no-store' } })
      return c.body(body, 200, headers)
    }
    ahead.push(value)
  }
  return streamText(concat(ahead, parts), { type: TYPE, isPacked: acceptsGzip(c) })
}

async function* partsOf(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const slice of slices) {
    if (slice.length === 0) continue
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* concat(ahead: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* ahead
  yield* rest
}

/** Delay before browsers reopen an ended stream. */
const RETRY_MS = 3_000

/** Streams items as they are produced, with backpressure. `stopping` is aborted on shutdown. */
export function streamAnswer(
  c: Context<Bindings>,
  { produces, output }: Operation,
  { items, format, stopping }: { items: AsyncIterable<unknown>; format: string | undefined; stopping: AbortSignal },
): Response {
  // A table is read as a whole. The items of the other streams must not wait in a buffer.
  const isPacked = acceptsGzip(c)
  if (produces === 'table' && format === 'csv')
    return streamText(csv(output, items), { type: 'text/csv; charset=utf-8', isPacked })
  if (produces === 'table' && format === 'ndjson')
    return streamText(lines(items), { type: 'application/x-ndjson', isPacked })
  if (produces === 'table') return streamText(jsonArray(items), { type: TYPE, isPacked })
  // The connection ends with the stream and does not delay shutdown.
  if (produces === 'text/event-stream') return streamText(events(items, stopping), { type: produces, headers: CLOSE })
  return streamText(lines(items), { type: 'application/x-ndjson' })
}

async function* lines(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}

async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ',\n'
  }
  yield before === '[' ? '[]\n' : ']\n'
}

/** One column per member of the items. */
async function* csv(output: z.ZodType, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  const columns = output instanceof z.ZodObject ? Object.keys(output.shape) : []
  yield csvLine(columns)
  for await (const item of items) {
    const row = item as Record<string, unknown>
    yield csvLine(columns.map((column) => row[column]))
  }
}

/** Format: HTML standard, section 9.2.6. JSON has no line breaks, so one `data` line suffices. */
async function* events(items: AsyncIterable<unknown>, stopping: AbortSignal): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const item of items) {
    const { type } = item as { type: string }
    yield `event: ${type}\ndata: ${JSON.stringify(item)}\n\n`
  }
  // A comment for people. Clients reconnect as after any other end.
  if (stopping.aborted) yield ': the service is stopping\n\n'
}

type Stream = { type: string; isPacked?: boolean; headers?: Record<string, string> }

/** Streams text parts as they are produced, with backpressure. Proxies must not buffer: it would delay live events. */
function streamText(parts: AsyncGenerator<string>, { type, isPacked = false, headers: more = {} }: Stream): Response {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...more }
  const plain = ReadableStream.from(encoded(parts))
  if (!isPacked) return new Response(plain, { headers })
  const packed = plain.pipeThrough(new CompressionStream('gzip'))
  return new Response(packed, { headers: { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } })
}

async function* encoded(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  for await (const part of parts) yield encoder.encode(part)
}

const CLOSE = { connection: 'close' }
const CHALLENGE = { 'www-authenticate': 'Bearer realm="Docent"' }

/** Builds the error response: JSON with the error's status and headers, and the headers that its status requires. */
export function errorAnswer(error: DocentError): McpResponse & { body: string } {
  const headers = {
    'content-type': 'application/json',
    ...error.headers,
    ...(error.status === 401 ? CHALLENGE : {}),
    ...(error.status === 413 ? CLOSE : {}),
  }
  return { status: error.status, headers, body: JSON.stringify(error.body) }
}

/** The same as a response of the web framework. Some errors list what is possible instead. */
export async function toResponse(c: Context<Bindings>, error: DocentError): Promise<Response> {
  const { status, headers, body: text } = errorAnswer(error)
  const { body, headers: all } = await packJson(c, text, { headers })
  return new Response(body, { status, headers: all })
}

/** Whether an `Accept-Encoding` header allows an encoding. A quality of 0 refuses it (RFC 9110, section 12.5.3). */
export function acceptsEncoding(header: string | undefined, encoding: 'br' | 'gzip'): boolean {
  const entry = header?.split(',').find((one) => one.split(';')[0]?.trim().toLowerCase() === encoding)
  return entry !== undefined && Number(entry.split('q=')[1] ?? 1) > 0
}

/** First characters of spreadsheet formulas, in ASCII and in the full-width forms that spreadsheets fold to it. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/

/**
 * One line of CSV (RFC 4180), every cell quoted. Text that looks like a formula gets a leading apostrophe (OWASP, "CSV
 * Injection"). null is an empty cell.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
