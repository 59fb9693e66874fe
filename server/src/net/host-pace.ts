import { readRetryAfter } from './retry-after.ts'

/** How a request to a host went. */
export type Outcome = {
  /** Status of the answer, or null where none came (timeout, broken connection). */
  status: number | null
  /** Milliseconds that the request took. */
  elapsedMs: number
  /** The answer's Retry-After header as it came. */
  retryAfter?: string | undefined
}

/** What is known of one host, and what follows from it. Times are milliseconds since 1970. */
export type HostPace = {
  /** Requests that may be under way at once; its whole part counts. */
  limit: number
  slowStart: boolean
  /** No request starts before. */
  notBefore: number
  /** Least milliseconds between two starts. */
  spacingMs: number
  /** Smoothed milliseconds of an answer, 0 before the first. */
  latency: number
  /** Fastest answers of this stretch of samples and of the one before: what the host does without load. */
  fastest: [current: number, previous: number]
  samples: number
  /** Refusals in a row. */
  refusals: number
  /** No second cut before: answers of requests sent before a cut say nothing about it. */
  cutAgainAt: number
}

/** Enough to see whether a second request at a time slows the host down. */
const START_LIMIT = 2

/** While limits are small they double with every round trip; from here they grow by one. */
const SLOW_START_UNTIL = 8

/** Weight of a new sample: about the last ten answers count. */
const SMOOTHING = 0.2

/**
 * Answers after which the fastest one is looked for afresh, so that a host that became slower for good is not starved.
 * The limit is halved then (as BBR drains its queue to see the bare round trip): measured under our own load, the
 * time without load would creep up and the limit with it.
 */
const STRETCH = 1_000

/**
 * Answers slower than this many times the fastest (and some milliseconds, since a fast host's times are mostly
 * noise) mean that requests queue up there. Between the two lines the limit stays as it is.
 */
const STEADY = { times: 2, plusMs: 25 }
const OVERLOADED = { times: 4, plusMs: 100 }

/** Waits after a refusal without Retry-After: doubling, within these bounds. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_OWN_PAUSE_MS = 60_000

/** A host may ask for longer; whoever wants to wait that long asks again then. */
const LONGEST_PAUSE_MS = 5 * 60_000

export function newHostPace(): HostPace {
  return {
    limit: START_LIMIT,
    slowStart: true,
    notBefore: 0,
    spacingMs: 0,
    latency: 0,
    fastest: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    samples: 0,
    refusals: 0,
    cutAgainAt: 0,
  }
}

/**
 * Learns from an outcome: additive increase, multiplicative decrease (Chiu and Jain 1989) with latency as the early
 * sign of congestion (TCP Vegas, Brakmo and Peterson 1995). A refusal (429, 503, no answer) halves the limit and
 * pauses the host, at least as long as it asks for.
 */
export function learn(pace: HostPace, outcome: Outcome, now: number, maxLimit: number): void {
  if (outcome.status === null || outcome.status === 429 || outcome.status === 503) {
    refuse(pace, outcome, now)
    return
  }
  pace.refusals = 0
  const [steady, overloaded] = measure(pace, outcome.elapsedMs)
  if (overloaded) cut(pace, 0.8, now)
  else if (steady && outcome.status < 500) grow(pace, maxLimit)
}

function refuse(pace: HostPace, { status, retryAfter }: Outcome, now: number): void {
  const asked = readRetryAfter(retryAfter, now)
  const fresh = cut(pace, 0.5, now)
  // One answer that never came may be an accident of its page; the second in a row is the host's.
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
  // One for each answer doubles the limit in a round trip; one part in `limit` adds one.
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
