/** Memory that request bodies under way may take together, counted as the buffers that hold them. */
export type BodyBudget = {
  /** Reserves bytes for a body from this address. False where they would exceed a limit: then nothing is reserved. */
  take(address: string, bytes: number): boolean
  /** Gives reserved bytes back. */
  give(address: string, bytes: number): void
}

/** Sixteen bodies of the largest size that the MCP endpoint takes. Most bodies have a kilobyte. */
const TOTAL_BYTES = 64 * 1024 * 1024
/** One address leaves as much for all others. */
const ADDRESS_BYTES = TOTAL_BYTES / 2

/** A budget for all bodies of a node. Anonymous callers send bodies too, so it is not counted by account. */
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
