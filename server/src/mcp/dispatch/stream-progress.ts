import { itemsWhile } from '#lib/items-while.ts'
import type { ReportProgress } from '../definition/tool.ts'
import type { Reply, RequestId, Message, McpRequest } from '../protocol/message.ts'
import { isObject } from '#lib/objects.ts'

/** Proxies close connections that are silent for longer, usually after a minute. */
const KEEP_ALIVE_MS = 15_000

/** The token for the progress of a call. Null if the client gave none, or does not read streams. */
export function progressTokenOf(message: Message, headers: McpRequest['headers']): RequestId | null {
  if (message.kind !== 'request' || message.method !== 'tools/call') return null
  const meta = message.params['_meta']
  const token = isObject(meta) ? meta['progressToken'] : undefined
  const isToken = typeof token === 'string' || Number.isSafeInteger(token)
  const readsStreams = headers.get('accept')?.toLowerCase().includes('text/event-stream') === true
  return isToken && readsStreams ? (token as RequestId) : null
}

type Options = {
  /** The JSON text of a reply. */
  textOf: (reply: Reply) => string
  /** The reply to an error after the stream has begun. Rethrows it to break off the stream. */
  onError: (error: unknown) => Reply
}

/** Runs a call. Returns its reply, or an event stream if a report is first: notifications, then the reply. */
export async function streamProgress(
  token: RequestId,
  run: (report: ReportProgress) => Promise<Reply | null>,
  options: Options,
): Promise<{ reply: Reply | null } | { stream: AsyncIterable<string> }> {
  let reports = 0
  const items = itemsWhile<string, Reply | null>((push) =>
    run((message) => {
      reports += 1
      const params = { progressToken: token, progress: reports, message }
      push(eventOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })))
    }),
  )
  const first = await items.next()
  return first.done ? { reply: first.value } : { stream: eventsOf(first.value, items, options) }
}

async function* eventsOf(
  first: string,
  items: AsyncGenerator<string, Reply | null>,
  { textOf, onError }: Options,
): AsyncGenerator<string> {
  yield first
  for (;;) {
    const next = items.next().catch((error: unknown) => ({ done: true as const, value: onError(error) }))
    while (await isQuiet(next)) yield ': the call is still running\n\n'
    const { done, value } = await next
    if (!done) yield value
    else if (value) yield eventOf(textOf(value))
    if (done) return
  }
}

/** Waits for the promise. True if it has not settled in time. */
async function isQuiet(promise: Promise<unknown>): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<typeof QUIET>()
  const timer = setTimeout(() => resolve(QUIET), KEEP_ALIVE_MS)
  try {
    return (await Promise.race([promise, timeUp])) === QUIET
  } finally {
    clearTimeout(timer)
  }
}

const QUIET = Symbol('quiet')

/** Format: HTML standard, section 9.2.6. JSON has no line breaks, so one `data` line suffices. */
function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`
}
