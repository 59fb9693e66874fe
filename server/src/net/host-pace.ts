import { NetError, type NetReason } from './net-error.ts'

export type RequestOutcome = {
  /** Response status, or null without a response (timeout, broken connection). */
  status: number | null
  elapsedMs: number
  retryAfter?: string | undefined
}

/** Enough to detect whether a second concurrent request slows the host down. */
const START_LIMIT = 2

/** Below this, limits double per round trip. Above, they grow by one. */
const SLOW_START_UNTIL = 8

/** Weight of a new sample: effectively the last ten responses. */
const SMOOTHING = 0.2

/**
 * Responses after which the minimum latency is measured afresh, so that a permanently slower host is not starved. The
 * limit is then halved (as BBR drains its queue to measure the round trip). Measured under our own load, the baseline
 * would creep up together with the limit.
 */
const STRETCH = 1_000

/**
 * Responses slower than this factor times the fastest (plus a margin, because a fast host's times are mostly noise)
 * indicate queuing. Between the two thresholds the limit does not change.
 */
const STEADY = { times: 2, plusMs: 25 }
const OVERLOADED = { times: 4, plusMs: 100 }

/** First pause after a refusal without Retry-After. Pauses double up to a maximum. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_OWN_PAUSE_MS = 60_000

/** Maximum pause. A host that asks for longer is asked again after this time. */
const LONGEST_PAUSE_MS = 5 * 60_000

export type HostPace = ReturnType<typeof newHostPace>

/** Learned state of one host. Times are milliseconds since 1970. */
export function newHostPace() {
  return {
    /** Maximum concurrent requests, rounded down. */
    limit: START_LIMIT,
    slowStart: true,
    notBefore: 0,
    spacingMs: 0,
    /** Smoothed response time in milliseconds, 0 before the first response. */
    latency: 0,
    /** Fastest responses of the current and the previous stretch: the host's latency without load. */
    fastest: [Infinity, Infinity] as [current: number, previous: number],
    samples: 0,
    refusals: 0,
    /** Earliest time of the next cut. Responses to requests sent before a cut do not reflect it. */
    cutAgainAt: 0,
  }
}

/**
 * Updates the pace: additive increase, multiplicative decrease (Chiu and Jain 1989), with latency as the early
 * congestion signal (TCP Vegas, Brakmo and Peterson 1995). A refusal (429, 503, no response) halves the limit and
 * pauses the host, at least for the requested time.
 */
export function learn(pace: HostPace, outcome: RequestOutcome, now: number, maxLimit: number): void {
  if (outcome.status === null || outcome.status === 429 || outcome.status === 503) {
    refuse(pace, outcome, now)
    return
  }
  pace.refusals = 0
  const [steady, overloaded] = measure(pace, outcome.elapsedMs)
  if (overloaded) cut(pace, 0.8, now)
  else if (steady && outcome.status < 500) grow(pace, maxLimit)
}

function refuse(pace: HostPace, { status, retryAfter }: RequestOutcome, now: number): void {
  const asked = readRetryAfter(retryAfter, now)
  const fresh = cut(pace, 0.5, now)
  // One missing response can be the page's fault. A second in a row is the host's.
  const own = status === null && pace.refusals === 0 ? 0 : FIRST_PAUSE_MS * 2 ** pace.refusals
  const pause = asked ?? (fresh ? Math.min(own, LONGEST_OWN_PAUSE_MS) : 0)
  pace.notBefore = Math.max(pace.notBefore, now + Math.min(pause, LONGEST_PAUSE_MS))
  if (!fresh) return
  pace.refusals++
  pace.cutAgainAt = Math.max(pace.cutAgainAt, pace.notBefore)
}

function cut(pace: HostPace, factor: number, now: number): boolean {
  pace.slowStart = false
  if (now < pace.cutAgainAt) return false
  pace.limit = Math.max(1, pace.limit * factor)
  pace.cutAgainAt = now + pace.latency
  return true
}

function grow(pace: HostPace, maxLimit: number): void {
  // Adding one per response doubles the limit per round trip. Adding 1/`limit` increases it by one.
  pace.limit = Math.min(maxLimit, pace.limit + (pace.slowStart ? 1 : 1 / pace.limit))
  if (pace.limit >= SLOW_START_UNTIL) pace.slowStart = false
}

function measure(pace: HostPace, elapsedMs: number): [steady: boolean, overloaded: boolean] {
  pace.latency = pace.latency === 0 ? elapsedMs : pace.latency + SMOOTHING * (elapsedMs - pace.latency)
  if (++pace.samples % STRETCH === 0) {
    pace.fastest = [Number.POSITIVE_INFINITY, pace.fastest[0]]
    pace.limit = Math.max(START_LIMIT, pace.limit / 2)
  }
  pace.fastest[0] = Math.min(pace.fastest[0], elapsedMs)
  const fastest = Math.min(...pace.fastest)
  return [
    pace.latency <= fastest * STEADY.times + STEADY.plusMs,
    pace.latency > fastest * OVERLOADED.times + OVERLOADED.plusMs,
  ]
}

type Ended = { elapsedMs: number } & (
  | { response: { url: string; status: number; headers: Record<string, string> } }
  | { error: unknown }
)

/** Transient failures that an overloaded host causes. */
const BACK_PRESSURE: ReadonlySet<NetReason> = new Set(['timeout', 'connect', 'protocol'])

/**
 * Derives the load signal of a finished request for `host` (`URL.host`). Null for requests that reveal nothing about
 * the host's load: our own refusals and cancellations, unresolvable names, undecodable responses, and failures of
 * another host after a redirect.
 */
export function outcomeOf(host: string, ended: Ended): RequestOutcome | null {
  const { elapsedMs } = ended
  if ('response' in ended) {
    const { url, status, headers } = ended.response
    return isAt(host, url) ? { status, elapsedMs, retryAfter: headers['retry-after'] } : null
  }
  const { error } = ended
  if (!(error instanceof NetError) || !error.transient || !BACK_PRESSURE.has(error.reason)) return null
  return error.url === '' || isAt(host, error.url) ? { status: null, elapsedMs } : null
}

function isAt(host: string, url: string): boolean {
  return URL.parse(url)?.host === host
}

/** Parses Retry-After (RFC 9110, section 10.2.3): milliseconds from `now`, at least zero. Null if absent or invalid. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000
  // Dates contain letters. Without this check, Date.parse would find a year in almost anything.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
