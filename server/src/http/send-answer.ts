import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import type { Operation } from '@docent/contract/operation'
import { z } from 'zod'
import type { DocentError } from '#errors.ts'
import type { McpResponse } from '#mcp/protocol/message.ts'
import type { Bindings } from './read-request.ts'

const compress = promisify(gzip)
/** About one packet. A smaller answer arrives no sooner. */
export const LEAST_BYTES = 1_400

/** Sends a value as JSON, compressed if the client accepts that. A list of pages gets a tenth of its size. */
export async function answerJson(c: Context<Bindings>, value: object): Promise<Response> {
  const body = new TextEncoder().encode(JSON.stringify(value))
  // Responses are private to the caller, and some contain secrets that are shown once.
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Accept-Encoding' }
  if (body.byteLength < LEAST_BYTES || !acceptsEncoding(c.req.header('accept-encoding'), 'gzip'))
    return c.body(body, 200, headers)
  return c.body(new Uint8Array(await compress(body)), 200, { ...headers, 'content-encoding': 'gzip' })
}

const TYPE = 'application/json'
/** Parts buffered before streaming: those of a one-slice list, plus one. */
const PARTS_AHEAD = 3

/** Sends slices of items like one `JSON.stringify`. Lists of more than one slice are streamed. */
export async function answerList(slices: AsyncIterable<readonly unknown[]>): Promise<Response> {
  const parts = partsOf(slices)
  const ahead: string[] = []
  while (ahead.length < PARTS_AHEAD) {
    const { done, value } = await parts.next()
    if (done) return new Response(ahead.join(''), { headers: { 'content-type': TYPE, 'cache-control': 'no-store' } })
    ahead.push(value)
  }
  return streamText(concat(ahead, parts), TYPE)
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
  { produces, output }: Operation,
  items: AsyncIterable<unknown>,
  { asCsv, stopping }: { asCsv: boolean; stopping: AbortSignal },
): Response {
  if (produces === 'table' && asCsv) return streamText(csv(output, items), 'text/csv; charset=utf-8')
  if (produces === 'table') return streamText(jsonArray(items), TYPE)
  // The connection ends with the stream and does not delay shutdown.
  if (produces === 'text/event-stream') return streamText(events(items, stopping), produces, CLOSE)
  return streamText(lines(items), 'application/x-ndjson')
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

/** Streams text parts as they are produced, with backpressure. Proxies must not buffer: it would delay live events. */
function streamText(parts: AsyncGenerator<string>, type: string, more: Record<string, string> = {}): Response {
  const headers = { 'content-type': type, 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...more }
  return new Response(ReadableStream.from(encoded(parts)), { headers })
}

async function* encoded(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
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
