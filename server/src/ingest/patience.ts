/** Milliseconds that one request may take. */
type Limits = { firstByteMs: number; totalMs: number }

export type Patience = {
  /** How long the site is waited for now. */
  limits(): Limits
  /** Hears of each try when it has ended: how long it took, and what came of it. */
  note(tookMs: number, outcome: Outcome): void
  /** Whether a try that failed after so long is to be made again. */
  isWorthAnother(tookMs: number): boolean
  /** The site has given some pages: what it asks for now is worth waiting for, and so is that it comes back. */
  isHopeful(): boolean
}

/** What the site had to say, that it would not say anything for now (429, 5xx), or nothing at all. */
type Outcome = 'page' | 'refusal' | 'nothing'

/** For a site of which nothing is known; those of most answers at once are a thousandth of it. */
const MOST: Limits = { firstByteMs: 20_000, totalMs: 25_000 }
/** A page may take so many times as long as others do, and at least as long as one that is made on demand. */
const TIMES_USUAL = 100
const LEAST_FIRST_BYTE_MS = 8_000
/** Nothing came for so long, however many were waiting for it, and the site is not waited for as before. */
const IN_VAIN_MS = 16_000
const HURRIED_FIRST_BYTE_MS = 2_000
/** What each page gives back of it. */
const REGAINED_MS = 50
/** What failed after so long has failed for longer than a hiccup takes, and each try costs as much. */
export const LONG_TRY_MS = 10_000
/** Weight of a new answer in the usual time. */
const SMOOTHING = 0.2
/** Where the crawl starts, and a few more. */
const HOPE = 5

/** How long one crawl waits for its site: less where that answers quickly otherwise, and least where much was in vain. */
export function createPatience(now = () => performance.now()): Patience {
  let usualMs: number | null = null
  let inVainMs = 0
  let pages = 0
  let heardAt = Number.NEGATIVE_INFINITY
  const isHurried = () => inVainMs > IN_VAIN_MS
  return {
    limits() {
      if (usualMs === null && !isHurried()) return MOST
      const least = isHurried() ? HURRIED_FIRST_BYTE_MS : LEAST_FIRST_BYTE_MS
      const firstByteMs = Math.min(MOST.firstByteMs, Math.max(least, (usualMs ?? 0) * TIMES_USUAL))
      return { firstByteMs, totalMs: isHurried() ? Math.min(MOST.totalMs, 2 * firstByteMs) : MOST.totalMs }
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
    isWorthAnother: (tookMs) => tookMs < LONG_TRY_MS && !isHurried(),
    isHopeful: () => pages >= HOPE,
  }
}
