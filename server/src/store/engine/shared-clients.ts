import type { Db } from '#store/db.ts'

/** A client's own name and version. */
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
      await db
        .insertInto('knownClients')
        .values({ key, ...client, usedAt: now })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((is) => ({
            name: is.ref('excluded.name'),
            version: is.ref('excluded.version'),
            usedAt: is.ref('excluded.usedAt'),
          })),
        )
        .execute()
    },
    async use(key, { after, now }) {
      const used = await db
        .updateTable('knownClients')
        .set({ usedAt: now })
        .where('key', '=', key)
        .where('usedAt', '>', after)
        .returning(['name', 'version'])
        .executeTakeFirst()
      return used ?? null
    },
    async deleteUnused(before) {
      await db.deleteFrom('knownClients').where('usedAt', '<', before).execute()
    },
  }
}
