/** Addresses that are remembered. Old addresses in long lists lead to a few new ones, or to as many. */
const REMEMBERED = 10_000

/** The addresses that the redirects of a crawl lead to. */
export function createRedirectTargets() {
  const seen = new Set<string>()
  return {
    /** Whether no redirect was known to lead there. To be asked once for each. */
    isNew(url: string): boolean {
      if (seen.has(url)) return false
      if (seen.size >= REMEMBERED) seen.clear()
      seen.add(url)
      return true
    },
  }
}

export type RedirectTargets = ReturnType<typeof createRedirectTargets>
