/** Milliseconds that one request may take. */
type Limits = { firstByteMs: number; totalMs: number }

export type Patience = {
  /** How long the site is waited for now. */
  limits(): Limits
  /** Hears of each try: how long it took, and whether the site answered. */
  note(tookMs: number, isAnswered: boolean): void
  /** Whether a try that failed after so long is to be made again. */
  isWorthAnother(tookMs: number): boolean
}

/** For a site of which nothing is known; those of most answers at once are a thousandth of it. */
const MOST: Limits = { firstByteMs: 20_000, totalMs: 25_000 }
/** A page may take so many times as long as others do, and at least as long as one that is made on demand. */
const TIMES_USUAL = 100
const LEAST_FIRST_BYTE_MS = 8_000
/** Waited in vain for so long, and the site is not waited for as before. */
const IN_VAIN_MS = 16_000
const HURRIED_FIRST_BYTE_MS = 2_000
/** What each answer gives back of it. */
const REGAINED_MS = 50
/** What failed after so long has failed for longer than a hiccup takes, and each try costs as much. */
export const LONG_TRY_MS = 10_000
/** Weight of a new answer in the usual time. */
const SMOOTHING = 0.2

/** How long one crawl waits for its site: less where that answers quickly otherwise, and least where much was in vain. */
export function createPatience(): Patience {
  let usualMs: number | null = null
  let inVainMs = 0
  const isHurried = () => inVainMs > IN_VAIN_MS
  return {
    limits() {
      if (usualMs === null && !isHurried()) return MOST
      const least = isHurried() ? HURRIED_FIRST_BYTE_MS : LEAST_FIRST_BYTE_MS
      const firstByteMs = Math.min(MOST.firstByteMs, Math.max(least, (usualMs ?? 0) * TIMES_USUAL))
      return { firstByteMs, totalMs: isHurried() ? Math.min(MOST.totalMs, 2 * firstByteMs) : MOST.totalMs }
    },
    note(tookMs, isAnswered) {
      if (!isAnswered) inVainMs += tookMs
      else {
        usualMs = usualMs === null ? tookMs : usualMs + SMOOTHING * (tookMs - usualMs)
        inVainMs = Math.max(0, inVainMs - REGAINED_MS)
      }
    },
    isWorthAnother: (tookMs) => tookMs < LONG_TRY_MS && !isHurried(),
  }
}
