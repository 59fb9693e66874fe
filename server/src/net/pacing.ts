import { type HostPace, learn, newHostPace, type Outcome } from './host-pace.ts'
import { NetError } from './net-error.ts'

/** Gives the turn back and says how it went; further calls do nothing. Call it in a `finally`. */
export type Release = (outcome: Outcome) => void

export type Pacer = Disposable & {
  /**
   * Waits for a turn to send one request to a host (`URL.host`, so ports count apart). First come, first served.
   * Throws `NetError` `aborted` when the signal aborts first or the pacer is disposed.
   */
  acquire(host: string, signal?: AbortSignal): Promise<Release>
  /** Leaves at least so many seconds between two starts, as robots.txt may ask for; at most a minute is granted. */
  setCrawlDelay(host: string, seconds: number): void
  /** Milliseconds until a host takes its next request; 0 for at once. Long ones are better spent on other work. */
  pausedFor(host: string): number
  /** Requests that may be under way to a host at once, as learned so far. */
  limitOf(host: string): number
}

type Host = { pace: HostPace; active: number; queue: Turn[]; timer: NodeJS.Timeout | undefined }

type Turn = { take: (release: Release) => void; refuse: (error: NetError) => void }

/**
 * Most requests at once to one host. A local site is served at full speed with far fewer; a public one has said
 * with steady answers that it can bear it.
 */
const MAX_PER_HOST = 24

const LONGEST_CRAWL_DELAY_S = 60

/** Hosts remembered at once, far above what crawls in progress touch. */
const MAX_HOSTS = 5_000

/** Paces requests per host, for all crawls of the process together, at the speed that each host can bear. */
export function createPacer({ maxPerHost = MAX_PER_HOST }: { maxPerHost?: number } = {}): Pacer {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? { pace: newHostPace(), active: 0, queue: [], timer: undefined }
    // Moving it to the end keeps the map in order of use.
    hosts.delete(name)
    hosts.set(name, host)
    if (hosts.size > MAX_HOSTS) forgetOldest(hosts)
    return host
  }

  const start = (host: Host, turn: Turn): void => {
    host.active++
    if (host.pace.spacingMs > 0) host.pace.notBefore = Math.max(host.pace.notBefore, Date.now() + host.pace.spacingMs)
    let released = false
    turn.take((outcome) => {
      if (released) return
      released = true
      host.active--
      learn(host.pace, outcome, Date.now(), maxPerHost)
      pump(host)
    })
  }

  const pump = (host: Host): void => {
    clearTimeout(host.timer)
    host.timer = undefined
    while (host.queue.length > 0 && host.active < Math.floor(host.pace.limit)) {
      const wait = host.pace.notBefore - Date.now()
      if (wait > 0) {
        host.timer = setTimeout(pump, wait, host)
        return
      }
      const turn = host.queue.shift()
      if (turn) start(host, turn)
    }
  }

  return {
    acquire(name, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Release>()
      if (signal?.aborted) reject(cancelled(signal.reason))
      else {
        const host = hostOf(name)
        const leave = () => {
          host.queue = host.queue.filter((other) => other !== turn)
          reject(cancelled(signal?.reason))
        }
        const turn: Turn = {
          take(release) {
            signal?.removeEventListener('abort', leave)
            resolve(release)
          },
          refuse(error) {
            signal?.removeEventListener('abort', leave)
            reject(error)
          },
        }
        signal?.addEventListener('abort', leave, { once: true })
        host.queue.push(turn)
        pump(host)
      }
      return promise
    },
    setCrawlDelay(name, seconds) {
      hostOf(name).pace.spacingMs = Math.min(Math.max(0, seconds), LONGEST_CRAWL_DELAY_S) * 1000
    },
    pausedFor: (name) => Math.max(0, (hosts.get(name)?.pace.notBefore ?? 0) - Date.now()),
    limitOf: (name) => Math.floor((hosts.get(name)?.pace ?? newHostPace()).limit),
    [Symbol.dispose]() {
      for (const host of hosts.values()) {
        clearTimeout(host.timer)
        for (const turn of host.queue.splice(0)) turn.refuse(cancelled('the pacer was disposed'))
      }
      hosts.clear()
    },
  }
}

function forgetOldest(hosts: Map<string, Host>): void {
  for (const [name, host] of hosts) {
    // A paused host is kept, so that its pause outlives a flood of other hosts.
    if (host.active > 0 || host.queue.length > 0 || host.pace.notBefore > Date.now()) continue
    hosts.delete(name)
    return
  }
}

function cancelled(cause: unknown): NetError {
  return new NetError('aborted', 'The request was cancelled while it waited for its turn.', { cause })
}
