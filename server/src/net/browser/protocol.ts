import { isObject, parseJson } from '#lib/objects.ts'
import type { Readable, Writable } from 'node:stream'

/** Used commands of Chromium's debugging protocol, with the parts of their responses that we read. */
type Answers = {
  'Browser.close': object
  'Browser.getVersion': object
  'Browser.setDownloadBehavior': object
  'Fetch.enable': object
  'Fetch.failRequest': object
  'Fetch.fulfillRequest': object
  'Inspector.enable': object
  'Page.createIsolatedWorld': { executionContextId: number }
  'Page.enable': object
  'Page.handleJavaScriptDialog': object
  'Page.navigate': { errorText?: string }
  'Runtime.evaluate': { result: { value?: unknown }; exceptionDetails?: object }
  'Storage.clearCookies': object
  'Storage.clearDataForOrigin': object
  'Target.attachToTarget': { sessionId: string }
  'Target.createBrowserContext': { browserContextId: string }
  'Target.createTarget': { targetId: string }
  'Target.disposeBrowserContext': object
}

export type Command = keyof Answers

/** Sends a command. Throws `BrowserError` if the browser refuses it or is gone. */
export type Send = <C extends Command>(command: C, params?: object) => Promise<Answers[C]>

/** A page could not be rendered. The message is a sentence for people. */
export class BrowserError extends Error {
  override name = 'BrowserError'
  /** `start`: no browser is available, as opposed to a page that failed to render. */
  readonly reason: 'start' | 'crash' | 'timeout' | 'too_large' | 'page'

  constructor(reason: BrowserError['reason'], message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}

/** Upper bound for our own responses. Requests made by page scripts can exceed it. */
const MAX_MESSAGE_BYTES = 24 << 20

export type Message = {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
  sessionId?: string
  size: number
}

/** Reads JSON messages, each ended by a zero byte. Calls `onBroken` once for one that is too large or not JSON. */
export function readMessages(from: Readable, onMessage: (message: Message) => void, onBroken: (why: string) => void) {
  let parts: Buffer[] = []
  let size = 0
  const broken = (why: string) => {
    from.removeAllListeners('data')
    parts = []
    onBroken(why)
  }
  from.on('data', (data: Buffer) => {
    let rest = data
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      parts.push(rest.subarray(0, end))
      const text = parts.length === 1 ? rest.toString('utf8', 0, end) : Buffer.concat(parts).toString('utf8')
      parts = []
      size = 0
      rest = rest.subarray(end + 1)
      const message = parseJson(text)
      if (!isObject(message)) return broken('The browser sent what is no message.')
      onMessage({ ...message, size: text.length })
    }
    size += rest.length
    if (size > MAX_MESSAGE_BYTES) return broken('The page made the browser send more than is read of it.')
    if (rest.length > 0) parts.push(rest)
  })
}

/** Writes one message. Ignores a closed pipe, because the end of the process is reported elsewhere. */
export function writeMessage(to: Writable, message: object): void {
  if (to.writable) to.write(`${JSON.stringify(message)}\0`)
}
