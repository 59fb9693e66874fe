import type { ReportProgress } from '../definition/tool.ts'
import { isObject, type Reply, type RequestId, type Message } from '../protocol/message.ts'
import type { McpRequest } from '../protocol/request.ts'

/** Proxies close connections that are silent for longer, usually after a minute. */
const KEEP_ALIVE_MS = 15_000

/**
 * The token under which a client wants to hear of the progress of its call. Null if it gave none, or does not read
 * streams.
 */
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

/**
 * Runs a call. Returns its reply if that comes before any report of progress, so that quick calls and refusals are
 * answered as usual. Otherwise returns a stream of server-sent events: a notification for each report, then the reply.
 */
export async function streamProgress(
  token: RequestId,
  run: (report: ReportProgress) => Promise<Reply | null>,
  options: Options,
): Promise<{ reply: Reply | null } | { stream: AsyncIterable<string> }> {
  const waiting: string[] = []
  let reports = 0
  let news = Promise.withResolvers<void>()
  const reply = run((message) => {
    reports += 1
    const params = { progressToken: token, progress: reports, message }
    waiting.push(eventOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })))
    news.resolve()
  })
  await Promise.race([reply, news.promise])
  if (reports === 0) return { reply: await reply }
  const takeAll = () => {
    news = Promise.withResolvers<void>()
    return waiting.splice(0)
  }
  return { stream: eventsOf(reply, { takeAll, hasNews: () => news.promise }, options) }
}

type Reports = { takeAll: () => string[]; hasNews: () => Promise<void> }

async function* eventsOf(
  reply: Promise<Reply | null>,
  { takeAll, hasNews }: Reports,
  { textOf, onError }: Options,
): AsyncGenerator<string> {
  let isOver = false
  const over = reply.then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  for (;;) {
    const events = takeAll()
    yield* events
    if (isOver) break
    const quiet = await waitFor([over, hasNews()])
    if (quiet) yield ': the call is still running\n\n'
  }
  yield* takeAll()
  const last = await reply.catch(onError)
  if (last) yield eventOf(textOf(last))
}

/** Waits for one of the promises. True if none came in time. */
async function waitFor(promises: readonly Promise<void>[]): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<true>()
  const timer = setTimeout(() => resolve(true), KEEP_ALIVE_MS)
  try {
    return (await Promise.race([...promises, timeUp])) === true
  } finally {
    clearTimeout(timer)
  }
}

/** Format: HTML standard, section 9.2.6. JSON has no line breaks, so one `data` line suffices. */
function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`
}
