import { join } from 'node:path'
import { newId } from '@docent/server/lib/ids.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { insertServer } from '@docent/server/store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '@docent/server/store/sources/sources.ts'

const AT_ONCE = 1_000

/** Inserts `count` servers with two indexed sources each for the only account of the data folder. */
export async function addManyServers(dataDir: string, count: number): Promise<void> {
  const database = { engine: 'sqlite' as const, path: join(dataDir, 'docent.sqlite') }
  await using store = await openStore({ database, onError: () => {} })
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  for (let from = 0; from < count; from += AT_ONCE) {
    await addServers(store, { accountId, from, to: Math.min(count, from + AT_ONCE) })
  }
}

type Span = { accountId: string; from: number; to: number }

async function addServers(store: Store, { accountId, from, to }: Span): Promise<void> {
  await store.transaction(async (tx) => {
    for (let n = from; n < to; n++) {
      const server = {
        id: newId('srv'),
        slug: `server-${n}`,
        name: `Server ${n}`,
        description: 'One of many.',
        visibility: 'public' as const,
        tools: '["search_docs","ask_question","get_code_examples"]',
        updatedAt: n,
        createdAt: n,
        deletedAt: null,
        purgeAt: null,
      }
      await insertServer(tx, { ...server, accountId, refresh: 'off' })
      for (const path of ['docs', 'blog']) {
        const address = { url: `https://${n}.example.com/${path}/`, type: 'docs' as const, label: null }
        const row = newSourceRow({ ...address, id: newId('src'), serverId: server.id, createdAt: n })
        await insertSourceRow(tx, { ...row, crawlStatus: 'complete', pagesFound: 50, pagesIndexed: 50, chunks: 400 })
      }
    }
  })
}
