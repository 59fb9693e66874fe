import type { Db } from '#store/db.ts'
import { above, below, changeRow, deleteRows, saveRow } from '#store/rows.ts'

export type SharedClient = { name: string; version: string | null }

/** Clients of handshakes, shared with other nodes. Keys are digests. */
export type SharedClients = {
  save(key: string, client: SharedClient, now: number): Promise<void>
  /** Returns the client if it was used after `after`, and records its use at `now`. */
  use(key: string, times: { after: number; now: number }): Promise<SharedClient | null>
  deleteUnused(before: number): Promise<void>
}

export function createSharedClients(db: Db): SharedClients {
  return {
    async save(key, client, now) {
      await saveRow(db, 'knownClients', ['key'], { key, ...client, usedAt: now })
    },
    async use(key, { after, now }) {
      const used = await changeRow(db, 'knownClients', { key, usedAt: above(after) }, { usedAt: now })
      return used ? { name: used.name, version: used.version } : null
    },
    async deleteUnused(before) {
      await deleteRows(db, 'knownClients', { usedAt: below(before) })
    },
  }
}
