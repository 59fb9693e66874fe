/** Time limits of one request in milliseconds. */
type Limits = { firstByteMs: number; totalMs: number }

export type AdaptiveTimeouts = {
  /** Current time limits for a request to the site. */
  limits(): Limits
  /** Records a completed try: its duration and outcome. */
  note(tookMs: number, outcome: Outcome): void
  /** Returns whether a failed try of this duration should be retried. */
  isWorthAnother(tookMs: number): boolean
  /** The site has delivered pages, so it is worth waiting for, and worth retrying later. */
  shouldKeepWaiting(): boolean
}

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
/** A longer failure is no hiccup, and each retry would cost as much. */
export const LONG_TRY_MS = 10_000
/** Smoothing factor of the moving average of response times. */
const SMOOTHING = 0.2
/** The start page, and a few more. */
const HOPE = 5

/**
 * Adapts the timeouts of one crawl to its site: shorter if the site usually answers quickly, shortest after long waits
 * without a response.
 */
export function createAdaptiveTimeouts(now = () => performance.now()): AdaptiveTimeouts {
  let usualMs: number | null = null
  let inVainMs = 0
  let pages = 0
  let heardAt = Number.NEGATIVE_INFINITY
  const hasWaitedInVain = () => inVainMs > IN_VAIN_MS
  return {
    limits() {
      if (usualMs === null && !hasWaitedInVain()) return MOST
      const least = hasWaitedInVain() ? HURRIED_FIRST_BYTE_MS : LEAST_FIRST_BYTE_MS
      const firstByteMs = Math.min(MOST.firstByteMs, Math.max(least, (usualMs ?? 0) * TIMES_USUAL))
      return { firstByteMs, totalMs: hasWaitedInVain() ? Math.min(MOST.totalMs, 2 * firstByteMs) : MOST.totalMs }
    },
    note(tookMs, outcome) {
      if (outcome === 'nothing') inVainMs += Math.min(tookMs, now() - heardAt)
      if (outcome === 'page') {
        pages++
        usualMs = usualMs === null ? tookMs : usualMs + SMOOTHING * (tookMs - usualMs)
        inVainMs = Math.max(0, inVainMs - REGAINED_MS)
      }
      heardAt = now()
    },
    isWorthAnother: (tookMs) => tookMs < LONG_TRY_MS && !hasWaitedInVain(),
    shouldKeepWaiting: () => pages >= HOPE,
  }
}
