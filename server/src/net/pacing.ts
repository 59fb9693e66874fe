import { type HostPace, learn, newHostPace, type Outcome } from './host-pace.ts'
import { NetError } from './net-error.ts'

/**
 * Gives the turn back and says how it went, null where that says nothing about the host; further calls do nothing.
 * Call it in a `finally`.
 */
export type Release = (outcome: Outcome | null) => void

export type Pacer = Disposable & {
  /**
   * Waits for a turn to send one request to a host (`URL.host`, so ports count apart). Owners (accounts) that wait for
   * the same host take turns; those of one owner are first come, first served.
   * Throws `NetError` `aborted` when the signal aborts first or the pacer is disposed.
   */
  acquire(host: string, signal?: AbortSignal, owner?: string): Promise<Release>
  /** Leaves at least so many seconds between two starts, as robots.txt may ask for; at most a minute is granted. */
  setCrawlDelay(host: string, seconds: number): void
  /** Milliseconds until a host takes its next request; 0 for at once. Long ones are better spent on other work. */
  pausedFor(host: string): number
  /** It asks to be left alone for long, the more so where it has been already. */
  isRefusing(host: string): boolean
  /** Requests that may be under way to a host at once, as learned so far. */
  limitOf(host: string): number
}

/**
 * What the nodes of a service tell each other about a host, so that it is no busier with many of them than with one.
 * Times are milliseconds since 1970 by this node's clock. Both may throw; the pacer then goes on by itself.
 */
export type SharedPace = {
  /** Says that this node asks a host for the next seconds, and until when it was told not to; answers for all nodes. */
  join(host: string, notBefore: number): Promise<{ nodes: number; notBefore: number }>
  /** When this node may start its next request, where all of them together leave `spacingMs` between two. */
  reserve(host: string, spacingMs: number): Promise<number>
}

type Host = {
  name: string
  pace: HostPace
  active: number
  queue: Turn[]
  /** Which start was the last one of each owner, since there was last nobody waiting. */
  lastStart: Map<string, number>
  starts: number
  timer: NodeJS.Timeout | undefined
  /** Nodes that ask the host now, whether they have been asked about yet, and when last; 0 to ask anew. */
  nodes: number
  isKnown: boolean
  sharedAt: number
  /** Something is being asked of the other nodes. */
  asking: boolean
  /** When the next request may start, by agreement with the other nodes. */
  slot: number | null
}

type Turn = { owner: string; take: (release: Release) => void; refuse: (error: NetError) => void }

/**
 * Most requests at once to one host. A local site is served at full speed with far fewer; a public one has said
 * with steady answers that it can bear it.
 */
const MAX_PER_HOST = 24

/** Milliseconds to be left alone for after a first refusal and after a further one, from which asking on is no use for now. */
const LONG_PAUSE_MS = { first: 30_000, further: 10_000 }

const LONGEST_CRAWL_DELAY_S = 60

/** Hosts remembered at once, far above what crawls in progress touch. */
const MAX_HOSTS = 5_000

/** No host is given longer, by far: whatever is further ahead was noted before the machine's clock was put back. */
const LONGEST_WAIT_MS = 60 * 60_000

/** How often nodes tell each other what they do. */
const SHARE_EVERY_MS = 1_000

type Options = { maxPerHost?: number; shared?: SharedPace; onError?: (error: unknown) => void }

/** Paces requests per host, for all crawls of the process together, and with those of other nodes, at the speed that each host can bear. */
export function createPacer({ maxPerHost = MAX_PER_HOST, shared, onError = () => {} }: Options = {}): Pacer {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const host = hosts.get(name) ?? newHost(name)
    // Moving it to the end keeps the map in order of use.
    hosts.delete(name)
    hosts.set(name, host)
    if (hosts.size > MAX_HOSTS) forgetOldest(hosts)
    return host
  }

  const start = (host: Host, turn: Turn): void => {
    host.active++
    host.slot = null
    if (host.pace.spacingMs > 0) host.pace.notBefore = Math.max(host.pace.notBefore, Date.now() + host.pace.spacingMs)
    let released = false
    turn.take((outcome) => {
      if (released) return
      released = true
      host.active--
      const before = host.pace.notBefore
      if (outcome) learn(host.pace, outcome, Date.now(), maxPerHost)
      // That the host refuses is news for the other nodes.
      if (host.pace.notBefore > before) host.sharedAt = 0
      pump(host)
    })
  }

  /** Asks the other nodes where it is time to. True while nothing may start before they have answered. */
  const askOthers = (host: Host): boolean => {
    if (!shared) return false
    const { pace, name } = host
    const wantsSlot = pace.spacingMs > 0 && host.slot === null
    if (!host.asking && Date.now() >= host.sharedAt + SHARE_EVERY_MS) {
      host.sharedAt = Date.now()
      ask(host, async () => {
        const { nodes, notBefore } = await shared.join(name, pace.notBefore)
        host.nodes = nodes
        pace.notBefore = Math.max(pace.notBefore, notBefore)
      })
    } else if (!host.asking && wantsSlot) {
      ask(host, async () => {
        host.slot = await shared.reserve(name, pace.spacingMs)
      })
    }
    return wantsSlot || !host.isKnown
  }

  const ask = (host: Host, question: () => Promise<void>): void => {
    host.asking = true
    question()
      .catch((error: unknown) => {
        // Alone for now, at the pace that this node knows of.
        host.slot ??= Date.now()
        onError(error)
      })
      .finally(() => {
        host.asking = false
        host.isKnown = true
        pump(host)
      })
  }

  const pump = (host: Host): void => {
    clearTimeout(host.timer)
    host.timer = undefined
    while (host.queue.length > 0 && host.active < shareOf(host, maxPerHost)) {
      if (askOthers(host)) return
      const wait = Math.max(host.pace.notBefore, host.slot ?? 0) - Date.now()
      if (wait > LONGEST_WAIT_MS) {
        host.pace.notBefore = 0
        host.slot &&= Date.now()
      } else if (wait > 0) {
        host.timer = setTimeout(pump, wait, host)
        return
      }
      const turn = takeNext(host)
      if (turn) start(host, turn)
    }
  }

  return {
    acquire(name, signal, owner = '') {
      const { promise, resolve, reject } = Promise.withResolvers<Release>()
      if (signal?.aborted) reject(cancelled(signal.reason))
      else {
        const host = hostOf(name)
        const leave = () => {
          host.queue = host.queue.filter((other) => other !== turn)
          reject(cancelled(signal?.reason))
        }
        const turn: Turn = {
          owner,
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
    isRefusing(name) {
      const { refusals, notBefore } = hosts.get(name)?.pace ?? newHost(name).pace
      return notBefore - Date.now() > (refusals > 1 ? LONG_PAUSE_MS.further : LONG_PAUSE_MS.first)
    },
    limitOf: (name) => shareOf(hosts.get(name) ?? newHost(name), maxPerHost),
    [Symbol.dispose]() {
      for (const host of hosts.values()) {
        clearTimeout(host.timer)
        for (const turn of host.queue.splice(0)) turn.refuse(cancelled('the pacer was disposed'))
      }
      hosts.clear()
    },
  }
}

function newHost(name: string): Host {
  const pace = newHostPace()
  const others = { nodes: 1, isKnown: false, sharedAt: 0, asking: false, slot: null }
  const waiting = { queue: [], lastStart: new Map<string, number>(), starts: 0 }
  return { name, pace, active: 0, timer: undefined, ...waiting, ...others }
}

/** The first request of the owner whose last one was started longest ago. */
function takeNext(host: Host): Turn | undefined {
  const { queue, lastStart } = host
  const lastOf = ({ owner }: Turn) => lastStart.get(owner) ?? -1
  let next = 0
  for (const [at, turn] of queue.entries()) {
    const best = queue[next]
    if (best && lastOf(turn) < lastOf(best)) next = at
  }
  const [turn] = queue.splice(next, 1)
  if (queue.length === 0) lastStart.clear()
  else if (turn) lastStart.set(turn.owner, ++host.starts)
  return turn
}

/** Requests that this node may have under way: what it has learned, and no more than its part of the most there may be. */
function shareOf({ pace, nodes }: Host, maxPerHost: number): number {
  return Math.max(1, Math.floor(Math.min(pace.limit, maxPerHost / nodes)))
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
