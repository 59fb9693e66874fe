import type { Store } from '#store/db.ts'
import { isPurgeable, purgeServer } from '#store/servers.ts'
import type { Payload } from './kinds.ts'

/** Deletes a server for good, unless it was restored meanwhile. */
export async function purge(store: Store, { serverId }: Payload<'purge'>): Promise<void> {
  await store.transaction(async (tx) => {
    if (await isPurgeable(tx, serverId, Date.now())) await purgeServer(tx, serverId)
  })
}
