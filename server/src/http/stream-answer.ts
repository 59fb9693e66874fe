import type { Operation } from '@docent/contract/operation'
import { z } from 'zod'
import { csvLine } from '#lib/csv.ts'
import { streamText } from './stream-text.ts'

/** What browsers wait before they open a stream again that has ended. */
const RETRY_MS = 3_000

type Options = {
  asCsv: boolean
  ended: AbortController
  /** Aborted when the service stops. */
  stopping: AbortSignal
}

/**
 * An answer that is written while it is made, item by item and no faster than it is read. When the reader goes away,
 * `ended` is aborted and the items are closed.
 */
export function streamAnswer(
  { produces, output }: Operation,
  items: AsyncIterable<unknown>,
  { asCsv, ended, stopping }: Options,
): Response {
  if (produces === 'table' && asCsv) return respond(csv(output, items), { type: 'text/csv; charset=utf-8', ended })
  if (produces === 'table') return respond(jsonArray(items), { type: 'application/json', ended })
  if (produces === 'text/event-stream') {
    // The connection ends with the stream, and does not hold up a service that is to stop.
    return respond(events(items, stopping), { type: produces, ended, headers: { connection: 'close' } })
  }
  return respond(lines(items), { type: 'application/x-ndjson', ended })
}

/** Proxies that gather answers before they pass them on would hold back what is to be seen at once. */
function respond(parts: AsyncGenerator<string>, options: Parameters<typeof streamText>[1]): Response {
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

/** The columns are the members of the items. */
async function* csv(output: z.ZodType, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  const columns = output instanceof z.ZodObject ? Object.keys(output.shape) : []
  yield csvLine(columns)
  for await (const item of items) {
    const row = item as Record<string, unknown>
    yield csvLine(columns.map((column) => row[column]))
  }
}

/** As the HTML standard has them (9.2.6). JSON has no line breaks, so one `data` line is enough. */
async function* events(items: AsyncIterable<unknown>, stopping: AbortSignal): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`
  for await (const item of items) {
    const { type } = item as { type: string }
    yield `event: ${type}\ndata: ${JSON.stringify(item)}\n\n`
  }
  // A comment, which is for people: clients come back as after every other end.
  if (stopping.aborted) yield ': the service is stopping\n\n'
}
