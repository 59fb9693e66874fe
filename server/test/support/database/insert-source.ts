import { createAccount } from '#auth/accounts.ts'
import type { Store } from '#store/db.ts'
import { insertServer } from '#store/servers/servers.ts'
import { type SourceRow, insertSourceRow, newSourceRow } from '#store/sources/sources.ts'

type Given = Pick<SourceRow, 'url' | 'type'> & { visibility?: 'public' | 'private' }

/** Inserts source `src_1` of server `srv_1`, whose slug is `a`, into an empty store. Returns the source's row. */
export async function insertSource(store: Store, { url, type, visibility = 'public' }: Given) {
  const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const server = { id: 'srv_1', accountId, slug: 'a', name: 'A', description: null, visibility }
  await insertServer(store.write, { ...server, tools: '["search_docs"]', ...times })
  const row = newSourceRow({ id: 'src_1', serverId: 'srv_1', url, type, label: null, createdAt: 1 })
  await insertSourceRow(store.write, row)
  return row
}
