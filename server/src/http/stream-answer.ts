import type { Operation } from '@docent/contract/operation'
import { z } from 'zod'
import { csvLine } from '#lib/text/csv.ts'
import { type StreamOptions, streamText } from './stream-text.ts'

/** Delay before browsers reopen an ended stream. */
const RETRY_MS = 3_000

type Options = {
  asCsv: boolean
  ended: AbortController
  /** Aborted on shutdown. */
  stopping: AbortSignal
}

/**
 * Streams items as they are produced, with backpressure. If the reader disconnects, `ended` is aborted and the iterator
 * is closed.
 */
export function streamAnswer(
  { produces, output }: Operation,
  items: AsyncIterable<unknown>,
  { asCsv, ended, stopping }: Options,
): Response {
  if (produces === 'table' && asCsv) return respond(csv(output, items), { type: 'text/csv; charset=utf-8', ended })
  if (produces === 'table') return respond(jsonArray(items), { type: 'application/json', ended })
  if (produces === 'text/event-stream') {
    // The connection ends with the stream and does not delay shutdown.
    return respond(events(items, stopping), { type: produces, ended, headers: { connection: 'close' } })
  }
  return respond(lines(items), { type: 'application/x-ndjson', ended })
}

/** Tells proxies not to buffer, which would delay live events. */
function respond(parts: AsyncGenerator<string>, options: StreamOptions): Response {
  return streamText(parts, { ...options, headers: { 'x-accel-buffering': 'no', ...options.headers } })
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
