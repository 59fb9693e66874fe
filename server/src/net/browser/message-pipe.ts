import type { Readable, Writable } from 'node:stream'

/** No answer that is asked for is larger; what a page makes the browser send may be. */
const MAX_MESSAGE_BYTES = 24 << 20

export type Message = {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
  sessionId?: string
  /** Bytes that it came in. */
  size: number
}

/**
 * Chromium's debugging protocol over a pair of pipes: JSON, each message ended by a zero byte. `onMessage` gets what
 * arrives; `onBroken` is told once when a message is too large or no JSON.
 */
export function readMessages(
  from: Readable,
  { onMessage, onBroken }: { onMessage: (message: Message) => void; onBroken: (why: string) => void },
): void {
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
      const message = parse(text)
      if (message === null) return broken('The browser sent what is no message.')
      onMessage({ ...message, size: text.length })
    }
    size += rest.length
    if (size > MAX_MESSAGE_BYTES) return broken('The page made the browser send more than is read of it.')
    if (rest.length > 0) parts.push(rest)
  })
}

function parse(text: string): Omit<Message, 'size'> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Writes one message. A pipe that is closed already takes it silently: its process is gone, which is told elsewhere. */
export function writeMessage(to: Writable, message: object): void {
  if (to.writable) to.write(`${JSON.stringify(message)}\0`)
}
