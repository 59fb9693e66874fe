import { hash, randomUUID } from 'node:crypto'
import type { SharedPace } from '#net/pacing.ts'
import type { Store } from '#store/db.ts'
import { readHostShares, saveHostShare, takeHostSlot } from '#store/pages/host-shares.ts'

/** A node counts as gone after this time without an update; active nodes update every second. */
const UNTIL_MS = 5_000

/**
 * Shares the request rate per host with other nodes through the store, by the store's clock. Stores only hashes of host
 * names.
 */
export function sharePace(store: Store): SharedPace {
  const node = randomUUID()
  // A node's clock may differ from the store's.
  const toOwn = (at: number) => at - store.clock() + Date.now()
  const toStore = (at: number) => at - Date.now() + store.clock()
  return {
    async join(name, notBefore) {
      const [host, now] = [hash('sha256', name), store.clock()]
      const paused = notBefore > Date.now() ? Math.round(toStore(notBefore)) : 0
      await saveHostShare(store.write, { host, node, until: Math.round(now) + UNTIL_MS, notBefore: paused })
      const shares = await readHostShares(store.read, host, Math.round(now))
      return { nodes: Math.max(1, shares.nodes), notBefore: shares.notBefore > 0 ? toOwn(shares.notBefore) : 0 }
    },
    async reserve(name, spacingMs) {
      const now = Math.round(store.clock())
      return toOwn(
        await takeHostSlot(store.write, { host: hash('sha256', name), now, spacingMs: Math.round(spacingMs) }),
      )
    },
  }
}
