import { rememberRecent } from '#lib/objects.ts'

/** For how long an address is suspect after a body in too small chunks, and how many are remembered. */
const SUSPECT_MS = 10_000
const MOST_SUSPECTS = 10_000
/** Such bodies of a suspect address after which its connections are refused: reading one takes some milliseconds. */
const MOST_BODIES = 3

/** Sixteen bodies of the MCP endpoint's maximum size. A typical body has one kilobyte. */
const TOTAL_BYTES = 64 * 1024 * 1024
/** One address can use at most half. */
const ADDRESS_BYTES = TOTAL_BYTES / 2

/** Memory budget of a node for bodies in progress, by address because anonymous callers have no account. */
export function createBodyBudget({ total = TOTAL_BYTES, perAddress = ADDRESS_BYTES, suspectMs = SUSPECT_MS } = {}) {
  const held = new Map<string, number>()
  const suspects = new Map<string, { until: number; bodies: number }>()
  const suspectAt = (address: string) => {
    const known = suspects.size > 0 ? suspects.get(address) : undefined
    return known && known.until > performance.now() ? known : null
  }
  let heldInAll = 0
  return {
    /** Reserves bytes for a body from this address. Returns false and reserves nothing if that would exceed a limit. */
    take(address: string, bytes: number): boolean {
      const own = (held.get(address) ?? 0) + bytes
      if (own > perAddress || heldInAll + bytes > total) return false
      held.set(address, own)
      heldInAll += bytes
      return true
    },
    give(address: string, bytes: number): void {
      const own = (held.get(address) ?? 0) - bytes
      if (own > 0) held.set(address, own)
      else held.delete(address)
      heldInAll -= bytes
    },
    /** Notes that the address sent a body in too small chunks. */
    suspect(address: string): void {
      const now = { until: performance.now() + suspectMs, bodies: (suspectAt(address)?.bodies ?? 0) + 1 }
      rememberRecent(suspects, address, now, MOST_SUSPECTS)
    },
    isSuspect: (address: string): boolean => suspectAt(address) !== null,
    /** True if the address sent so many of them that its connections are refused unread. */
    isBlocked: (address: string): boolean => (suspectAt(address)?.bodies ?? 0) > MOST_BODIES,
  }
}
