import { setTimeout as sleep } from 'node:timers/promises'
import { hash, randomUUID } from 'node:crypto'
import { type NetClient, type NetRequest, type NetResponse, DEFAULT_MAX_BYTES } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { outcomeOf } from '#net/host-pace.ts'
import type { Pacer, Release, SharedPace } from '#net/pacing.ts'
import type { Store } from '#store/db.ts'
import { readHostShares, saveHostShare, takeHostSlot } from '#store/pages/host-shares.ts'
import { failureOfStatus, BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pacer: Pacer; signal: AbortSignal }

/** Milliseconds before the second and third try after a transient failure. */
export const RETRY_AFTER_MS = [500, 3_000]

/** A longer failure is no hiccup, and each retry would cost as much. */
export const LONG_TRY_MS = 10_000

/** Wraps a `NetClient`: requests wait for their host's turn, and transient failures of quick tries are repeated. */
export function paceRequests({ net, pacer, signal }: Deps): Pick<NetClient, 'fetch'> {
  return {
    async fetch(url, request = {}) {
      const { host } = new URL(url)
      for (let tries = 0; ; tries++) {
        const sent = await sendInTurn(net, url, request, await pacer.acquire(host, signal))
        const isLong = sent.elapsedMs > LONG_TRY_MS || pacer.pausedFor(host) > LONG_TRY_MS
        const wait = isLong || !mayPass(sent) ? undefined : RETRY_AFTER_MS[tries]
        if (wait !== undefined) await sleep(wait, undefined, { signal })
        else if ('response' in sent) return sent.response
        else throw sent.error
      }
    },
  }
}

/** Sends one request in a turn of its host, and returns the turn with the outcome. */
export async function sendInTurn(net: Pick<NetClient, 'fetch'>, url: string, request: NetRequest, release: Release) {
  const started = performance.now()
  const answer = await net.fetch(url, request).then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  )
  const sent = { ...answer, elapsedMs: performance.now() - started }
  release(outcomeOf(new URL(url).host, sent))
  return sent
}

function mayPass(sent: { elapsedMs: number } & ({ response: NetResponse } | { error: unknown })): boolean {
  if ('response' in sent) return failureOfStatus(sent.response.status)?.transient === true
  return sent.error instanceof NetError && sent.error.transient
}

/** Time limits of one request in milliseconds. */
type Limits = { firstByteMs: number; totalMs: number }

export type AdaptiveTimeouts = ReturnType<typeof createAdaptiveTimeouts>

/** A response, a refusal (429, 5xx), or no response. */
type Outcome = 'page' | 'refusal' | 'nothing'

/** Limits for an unknown site; most sites answer in a thousandth of this. */
const MOST: Limits = { firstByteMs: 20_000, totalMs: 25_000 }
/** A page may take this multiple of the usual time, and at least long enough for pages generated on demand. */
const TIMES_USUAL = 100
const LEAST_FIRST_BYTE_MS = 8_000
/** Time without any response, counted once for parallel requests, after which limits are shortened. */
const IN_VAIN_MS = 16_000
const HURRIED_FIRST_BYTE_MS = 2_000
/** Reduction of that time for each page received. */
const REGAINED_MS = 50

/** Smoothing factor of the moving average of response times. */
const SMOOTHING = 0.2
/** Pauses in a row without a page, for all pages of a crawl: more than requests are sent at once. */
const MOST_PAUSES = 50

/** The start page, and a few more. */
const HOPE = 5

/** Adapts the timeouts of one crawl: shorter if its site answers quickly, shortest after long waits in vain. */
export function createAdaptiveTimeouts(now = () => performance.now()) {
  let usualMs: number | null = null
  let inVainMs = 0
  let pages = 0
  /** Pauses that the site asked for since it last delivered a page. */
  let pauses = 0
  let heardAt = Number.NEGATIVE_INFINITY
  const hasWaitedInVain = () => inVainMs > IN_VAIN_MS
  return {
    limits(): Limits {
      if (usualMs === null && !hasWaitedInVain()) return MOST
      const least = hasWaitedInVain() ? HURRIED_FIRST_BYTE_MS : LEAST_FIRST_BYTE_MS
      const firstByteMs = Math.min(MOST.firstByteMs, Math.max(least, (usualMs ?? 0) * TIMES_USUAL))
      return { firstByteMs, totalMs: hasWaitedInVain() ? Math.min(MOST.totalMs, 2 * firstByteMs) : MOST.totalMs }
    },
    note(tookMs: number, outcome: Outcome): void {
      if (outcome === 'nothing') inVainMs += Math.min(tookMs, now() - heardAt)
      if (outcome === 'page') {
        pages++
        pauses = 0
        usualMs = usualMs === null ? tookMs : usualMs + SMOOTHING * (tookMs - usualMs)
        inVainMs = Math.max(0, inVainMs - REGAINED_MS)
      }
      heardAt = now()
    },
    isWorthAnother: (tookMs: number): boolean => tookMs < LONG_TRY_MS && !hasWaitedInVain(),
    /**
     * Counts a pause that the site asks for. True if a page may be asked for again after it, however often it was
     * refused: a site that limits its rate refuses some requests between those that it answers.
     */
    mayAskAgain: (): boolean => ++pauses <= MOST_PAUSES,
    /** The site has delivered pages, so it is worth waiting for, and worth retrying later. */
    shouldKeepWaiting: (): boolean => pages >= HOPE,
  }
}

/** Wraps a `NetClient` to count traffic. Throws `BudgetExhausted` before a request beyond the crawl budget. */
export function meterRequests(net: NetClient, budget: CrawlBudget): NetClient {
  return {
    async fetch(url, request = {}) {
      const exhausted = budget.exhausted()
      if (exhausted) throw new BudgetExhausted(exhausted.detail)
      let received = 0
      let decompressed = 0
      try {
        const response = await net.fetch(url, { ...request, onReceived: (bytes) => (received += bytes) })
        decompressed = response.bytes.byteLength
        return response
      } catch (error) {
        // An oversized body was read up to the limit, unless its declared length was refused at once.
        const isTooLarge = error instanceof NetError && error.reason === 'too_large' && received > 0
        if (isTooLarge) decompressed = request.maxBytes ?? DEFAULT_MAX_BYTES
        throw error
      } finally {
        budget.fetched(Math.max(received, decompressed))
      }
    },
    [Symbol.asyncDispose]: () => net[Symbol.asyncDispose](),
  }
}

/** Wraps the pacer for one job. `pauseMs` is the shortest pause of the hosts that it waits for, or 0. */
export function trackPauses(pacer: Pacer, accountId: string): { pacer: Pacer; pauseMs: () => number } {
  const waiting = new Map<string, number>()
  const count = (host: string, change: number) => {
    const requests = (waiting.get(host) ?? 0) + change
    if (requests > 0) waiting.set(host, requests)
    else waiting.delete(host)
  }
  return {
    pacer: {
      setCrawlDelay: (host, seconds) => pacer.setCrawlDelay(host, seconds),
      pausedFor: (host) => pacer.pausedFor(host),
      isRefusing: (host) => pacer.isRefusing(host),
      async acquire(host, signal) {
        count(host, 1)
        try {
          return await pacer.acquire(host, signal, accountId)
        } finally {
          count(host, -1)
        }
      },
    },
    pauseMs: () => (waiting.size === 0 ? 0 : Math.min(...[...waiting.keys()].map((host) => pacer.pausedFor(host)))),
  }
}

/** A node counts as gone after this time without an update; active nodes update every second. */
const UNTIL_MS = 5_000

/** Shares the request rate per host with other nodes, by the store's clock. Stores only hashes of host names. */
export function sharePace(store: Store): SharedPace {
  const node = randomUUID()
  // A node's clock may differ from the store's.
  const toOwn = (at: number) => at - store.clock() + Date.now()
  const toStore = (at: number) => at - Date.now() + store.clock()
  return {
    async join(name, notBefore) {
      const [host, now] = [hash('sha256', name), store.clock()]
      const paused = notBefore > Date.now() ? Math.round(toStore(notBefore)) : 0
      await saveHostShare(store.write, { host, node, until: Math.round(now) + UNTIL_MS, notBefore: paused })
      const shares = await readHostShares(store.read, host, Math.round(now))
      return { nodes: Math.max(1, shares.nodes), notBefore: shares.notBefore > 0 ? toOwn(shares.notBefore) : 0 }
    },
    async reserve(name, spacingMs) {
      const now = Math.round(store.clock())
      const wanted = { host: hash('sha256', name), now, spacingMs: Math.round(spacingMs) }
      return toOwn(await takeHostSlot(store.write, wanted))
    },
  }
}
