import { maskAddress } from '#lib/addresses/secret-address.ts'
import type { Db, Store } from '#store/db.ts'
import { deleteCitations, withdrawContent } from '#store/sources/remove-source.ts'
import { readableAddresses, updateSourceRow } from '#store/sources/sources.ts'
import { readableReceivers, updateWebhookRow } from '#store/webhooks/webhooks.ts'
import { enqueueAnew } from './enqueue-ingest.ts'

type Seal = (tx: Db, address: string, id: string) => Promise<string>
type Deps = { store: Store; seal: Seal }

/**
 * Encrypts addresses with a credential that an earlier version stored in clear. What was indexed names these addresses,
 * so it is deleted and indexed anew. Returns whether there was one. Throws `503 credentials_unavailable`.
 */
export async function sealAddresses({ store, seal }: Deps): Promise<boolean> {
  let sealed = false
  const all = await readableAddresses(store.read)
  for (const { id, serverId, url: href } of all) {
    const taken = new Set(all.flatMap((other) => (other.serverId === serverId ? other.url : [])))
    let url = maskAddress(href)
    for (let number = 2; url !== href && taken.has(url); number++) url = maskAddress(href, number)
    if (url === href) continue
    await store.transaction(async (tx) => {
      await updateSourceRow(tx, id, { url, sealedUrl: await seal(tx, href, id) })
      await enqueueAnew(tx, { id, serverId })
      await withdrawContent(tx, id)
      await deleteCitations(tx, id)
    })
    sealed = true
  }
  return sealed
}

/** Encrypts addresses of webhooks with a credential that an earlier version stored in clear. */
export async function sealWebhooks({ store, seal }: Deps): Promise<void> {
  for (const { id, url: href } of await readableReceivers(store.read)) {
    const url = maskAddress(href)
    if (url !== href) await updateWebhookRow(store.write, id, { url, sealedUrl: await seal(store.read, href, id) })
  }
}
