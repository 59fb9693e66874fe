/** Remembered URLs. Long lists of old URLs redirect to a few new ones, or to as many. */
const REMEMBERED = 10_000

/** Tracks the redirect targets of a crawl. */
export function createRedirectTargets() {
  const seen = new Set<string>()
  return {
    /** Returns whether this target is new. Call it once per redirect. */
    isNew(url: string): boolean {
      if (seen.has(url)) return false
      if (seen.size >= REMEMBERED) seen.clear()
      seen.add(url)
      return true
    },
  }
}

export type RedirectTargets = ReturnType<typeof createRedirectTargets>
