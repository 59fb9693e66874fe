import { learn, newHostPace, type RequestOutcome } from './host-pace.ts'
import { NetError } from './net-error.ts'

/** Returns the turn with its outcome, or null without a signal about the host. Only the first call counts. */
export type Release = (outcome: RequestOutcome | null) => void

export type Pacer = Pick<HostPacer, 'acquire' | 'setCrawlDelay' | 'pausedFor' | 'isRefusing'>

/** Host state shared by nodes, in milliseconds since 1970 by this node's clock. If it throws, pacing is local. */
export type SharedPace = {
  /** Registers this node as a user of a host, with the end of its pause. Returns the state of all nodes. */
  join(host: string, notBefore: number): Promise<{ nodes: number; notBefore: number }>
  /** Reserves this node's next start, so that all nodes together keep `spacingMs` between starts. */
  reserve(host: string, spacingMs: number): Promise<number>
}

type Host = ReturnType<typeof newHost>
type Turn = PromiseWithResolvers<Release> & { owner: string }

/** Maximum concurrent requests per host, reached by hosts that bear them with steady responses. */
const MAX_PER_HOST = 24

/** Requested pauses, in milliseconds, after which requests stop for now: on the first refusal, and on later ones. */
const LONG_PAUSE_MS = { first: 30_000, further: 10_000 }

const LONGEST_CRAWL_DELAY_S = 60

/** Remembered hosts, far above what current crawls use. */
const MAX_HOSTS = 5_000

/** No host waits nearly as long. A later time was written before the machine's clock was set back. */
const LONGEST_WAIT_MS = 60 * 60_000

const SHARE_EVERY_MS = 1_000

type PacerOptions = { maxPerHost: number; shared?: SharedPace | undefined; onError: (error: unknown) => void }

/** Paces requests per host, over all crawls of the process and other nodes, at the speed that each host can bear. */
export function createPacer(options: Partial<PacerOptions> = {}): Disposable & Pacer & Pick<HostPacer, 'limitOf'> {
  return new HostPacer({ maxPerHost: MAX_PER_HOST, onError: () => {}, ...options })
}

class HostPacer {
  readonly #options: PacerOptions
  readonly #hosts = new Map<string, Host>()

  constructor(options: PacerOptions) {
    this.#options = options
  }

  /**
   * Waits for a turn to send one request to a host (`URL.host`, so ports count separately). Owners (accounts) that wait
   * for the same host alternate; requests of one owner are served in order. Throws `NetError` `aborted` if the signal
   * aborts or the pacer is disposed of.
   */
  async acquire(name: string, signal?: AbortSignal, owner = ''): Promise<Release> {
    if (signal?.aborted) throw cancelled(signal.reason)
    const host = this.#hostOf(name)
    const turn: Turn = { owner, ...Promise.withResolvers<Release>() }
    const leave = () => {
      host.queue = host.queue.filter((other) => other !== turn)
      turn.reject(cancelled(signal?.reason))
    }
    signal?.addEventListener('abort', leave, { once: true })
    host.queue.push(turn)
    this.#pump(host)
    return turn.promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  /** Sets the minimum seconds between two starts, as requested by robots.txt. At most a minute. */
  setCrawlDelay(name: string, seconds: number): void {
    this.#hostOf(name).pace.spacingMs = Math.min(Math.max(0, seconds), LONGEST_CRAWL_DELAY_S) * 1000
  }

  /** Milliseconds until a host accepts the next request, or 0. Use long pauses for other work. */
  pausedFor(name: string): number {
    return Math.max(0, (this.#hosts.get(name)?.pace.notBefore ?? 0) - Date.now())
  }

  /** True if the host requests a long pause. The threshold is lower after an earlier pause. */
  isRefusing(name: string): boolean {
    const { refusals, notBefore } = this.#hosts.get(name)?.pace ?? newHost(name).pace
    return notBefore - Date.now() > (refusals > 1 ? LONG_PAUSE_MS.further : LONG_PAUSE_MS.first)
  }

  /** Current learned limit of concurrent requests to a host. */
  limitOf(name: string): number {
    return shareOf(this.#hosts.get(name) ?? newHost(name), this.#options.maxPerHost)
  }

  [Symbol.dispose](): void {
    for (const host of this.#hosts.values()) {
      clearTimeout(host.timer)
      for (const turn of host.queue.splice(0)) turn.reject(cancelled('the pacer was disposed'))
    }
    this.#hosts.clear()
  }

  #hostOf(name: string): Host {
    const host = this.#hosts.get(name) ?? newHost(name)
    // Reinsertion keeps the map in order of use.
    this.#hosts.delete(name)
    this.#hosts.set(name, host)
    if (this.#hosts.size > MAX_HOSTS) forgetOldest(this.#hosts)
    return host
  }

  #pump(host: Host): void {
    clearTimeout(host.timer)
    host.timer = undefined
    while (host.queue.length > 0 && host.active < shareOf(host, this.#options.maxPerHost)) {
      if (this.#askOthers(host)) return
      const wait = Math.max(host.pace.notBefore, host.slot ?? 0) - Date.now()
      if (wait > LONGEST_WAIT_MS) {
        host.pace.notBefore = 0
        host.slot &&= Date.now()
      } else if (wait > 0) {
        host.timer = setTimeout(() => this.#pump(host), wait)
        return
      }
      const turn = takeNext(host)
      if (turn) this.#start(host, turn)
    }
  }

  #start(host: Host, turn: Turn): void {
    const { pace } = host
    host.active++
    host.slot = null
    if (pace.spacingMs > 0) pace.notBefore = Math.max(pace.notBefore, Date.now() + pace.spacingMs)
    let released = false
    turn.resolve((outcome) => {
      if (released) return
      released = true
      host.active--
      const before = pace.notBefore
      if (outcome) learn(pace, outcome, Date.now(), this.#options.maxPerHost)
      // Share a new refusal with the other nodes immediately.
      if (pace.notBefore > before) host.sharedAt = 0
      this.#pump(host)
    })
  }

  /** Queries the other nodes if due. True while starts must wait for their answer. */
  #askOthers(host: Host): boolean {
    const { shared } = this.#options
    if (!shared) return false
    const { pace, name } = host
    const wantsSlot = pace.spacingMs > 0 && host.slot === null
    if (!host.asking && Date.now() >= host.sharedAt + SHARE_EVERY_MS) {
      host.sharedAt = Date.now()
      this.#ask(host, async () => {
        const { nodes, notBefore } = await shared.join(name, pace.notBefore)
        host.nodes = nodes
        pace.notBefore = Math.max(pace.notBefore, notBefore)
      })
    } else if (!host.asking && wantsSlot) {
      this.#ask(host, async () => {
        host.slot = await shared.reserve(name, pace.spacingMs)
      })
    }
    return wantsSlot || !host.isKnown
  }

  #ask(host: Host, question: () => Promise<void>): void {
    host.asking = true
    question()
      .catch((error: unknown) => {
        // Continue alone, at this node's own pace.
        host.slot ??= Date.now()
        this.#options.onError(error)
      })
      .finally(() => {
        host.asking = false
        host.isKnown = true
        this.#pump(host)
      })
  }
}

function newHost(name: string) {
  return {
    name,
    pace: newHostPace(),
    active: 0,
    queue: [] as Turn[],
    timer: undefined as NodeJS.Timeout | undefined,
    /** Sequence number of each owner's last start, since the queue was last empty. */
    lastStart: new Map<string, number>(),
    starts: 0,
    /** Nodes that use the host, whether they were queried yet, and when last. 0 queries anew. */
    nodes: 1,
    isKnown: false,
    sharedAt: 0,
    asking: false,
    slot: null as number | null,
  }
}

/** The next request of the owner whose last start is the oldest. */
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

/** Concurrent requests of this node: the learned limit, at most its share of the maximum. */
function shareOf({ pace, nodes }: Host, maxPerHost: number): number {
  return Math.max(1, Math.floor(Math.min(pace.limit, maxPerHost / nodes)))
}

function forgetOldest(hosts: Map<string, Host>): void {
  for (const [name, host] of hosts) {
    // A paused host is kept, so that its pause survives a flood of other hosts.
    if (host.active > 0 || host.queue.length > 0 || host.pace.notBefore > Date.now()) continue
    hosts.delete(name)
    return
  }
}

function cancelled(cause: unknown): NetError {
  return new NetError('aborted', 'The request was cancelled while it waited for its turn.', { cause })
}
