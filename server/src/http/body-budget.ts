import { rememberRecent } from '#store/engine/outages.ts'

/** For how long an address is suspect after a body in too small chunks, and how many are remembered. */
const SUSPECT_MS = 10_000
const MOST_SUSPECTS = 10_000

/** Sixteen bodies of the MCP endpoint's maximum size. A typical body has one kilobyte. */
const TOTAL_BYTES = 64 * 1024 * 1024
/** One address can use at most half. */
const ADDRESS_BYTES = TOTAL_BYTES / 2

/** Memory budget of a node for bodies in progress, by address because anonymous callers have no account. */
export function createBodyBudget({ total = TOTAL_BYTES, perAddress = ADDRESS_BYTES } = {}) {
  const held = new Map<string, number>()
  /** Until when addresses are suspect. */
  const suspects = new Map<string, number>()
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
      rememberRecent(suspects, address, performance.now() + SUSPECT_MS, MOST_SUSPECTS)
    },
    isSuspect: (address: string): boolean => suspects.size > 0 && (suspects.get(address) ?? 0) > performance.now(),
  }
}
