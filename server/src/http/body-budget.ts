/** Memory budget for all request bodies in progress, counted by buffer size. */
export type BodyBudget = {
  /** Reserves bytes for a body from this address. Returns false and reserves nothing if that would exceed a limit. */
  take(address: string, bytes: number): boolean
  /** Releases reserved bytes. */
  give(address: string, bytes: number): void
}

/** Sixteen bodies of the MCP endpoint's maximum size. A typical body has one kilobyte. */
const TOTAL_BYTES = 64 * 1024 * 1024
/** One address can use at most half. */
const ADDRESS_BYTES = TOTAL_BYTES / 2

/** Creates the body budget of a node. It counts by address, since anonymous callers have no account. */
export function createBodyBudget({ total = TOTAL_BYTES, perAddress = ADDRESS_BYTES } = {}): BodyBudget {
  const held = new Map<string, number>()
  let heldInAll = 0
  return {
    take(address, bytes) {
      const own = (held.get(address) ?? 0) + bytes
      if (own > perAddress || heldInAll + bytes > total) return false
      held.set(address, own)
      heldInAll += bytes
      return true
    },
    give(address, bytes) {
      const own = (held.get(address) ?? 0) - bytes
      if (own > 0) held.set(address, own)
      else held.delete(address)
      heldInAll -= bytes
    },
  }
}
