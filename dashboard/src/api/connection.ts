import { createContext } from 'preact'

/** Whether the service answers. `offline`: the browser has no network either. */
export type Connection = 'up' | 'offline' | 'down'

export const ConnectionContext = createContext<Connection>('up')

/** Sent to the window when a request got no answer. */
const LOST = 'docent-lost'
/** Sent to the window when the service answers again. Everything that is shown is then loaded anew. */
export const RECOVERED = 'docent-recovered'

const PROBE_MS = 2_000
/** A service that is busy for longer is no use to anybody who waits. */
const PROBE_TIMEOUT_MS = 10_000

export function reportLost(): void {
  dispatchEvent(new Event(LOST))
}

/**
 * Asks the service whether it lives after a request without an answer, and until it does. One failed request is no
 * lost connection: an extension of the browser can block a single address.
 */
export function watchConnection(tell: (connection: Connection) => void): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let connection: Connection = 'up'
  let isProbing = false
  const set = (next: Connection) => {
    if (next === connection) return
    connection = next
    tell(next)
    if (next === 'up') dispatchEvent(new Event(RECOVERED))
  }
  const probe = async () => {
    if (isProbing) return
    isProbing = true
    while (!signal.aborted && !(await isAlive())) {
      set(navigator.onLine ? 'down' : 'offline')
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    }
    isProbing = false
    if (!signal.aborted) set('up')
  }
  for (const name of [LOST, 'offline', 'online']) addEventListener(name, () => void probe(), { signal })
  return () => ended.abort()
}

async function isAlive(): Promise<boolean> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return ok
  } catch {
    return false
  }
}
