import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { openCrawlStore } from '#ingest/crawl-store.ts'
import { insertServer } from '#store/servers.ts'
import { insertSource, newSourceRow } from '#store/sources.ts'
import { makeStore, onBothEngines } from './engines.ts'

onBothEngines('a source', (engine) => {
  test.each([
    [10, 10, null],
    [11, 11, 'https://a.example.test/10'],
    [30, 11, 'https://a.example.test/10'],
  ])('of which %i pages are found takes %i where ten are allowed, and tells of the first beyond', async (...given) => {
    const [found, taken, beyond] = given
    await using store = await makeStore(engine)
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
    const server = { id: 'srv_1', accountId, slug: 'a', name: 'A', description: null, visibility: 'public' as const }
    await insertServer(store.write, { ...server, tools: '[]', ...times })
    const source = { serverId: 'srv_1', type: 'docs' as const, label: null, createdAt: 1 }
    await insertSource(store.write, newSourceRow({ id: 'src_1', url: 'https://a.example.test/', ...source }))
    const crawl = openCrawlStore({
      underLease: (body) => store.transaction(body),
      sourceId: 'src_1',
      run: 1,
      counts: { queued: 0, indexed: 0, skipped: 0, failed: 0, toGo: 0 },
      isWhole: false,
      mostPages: 10,
    })
    const pages = Array.from({ length: found }, (_, at) => ({ url: `https://a.example.test/${at}`, depth: 1 }))
    await crawl.discover(pages.slice(0, 6))
    // Those that are known take no room, and are never the one beyond.
    await crawl.discover(pages)
    const rows = await store.read.selectFrom('pages').select('url').execute()
    expect(rows).toHaveLength(taken)
    const told = pages.filter(({ url }) => crawl.refusalOf(url) !== null).map(({ url }) => url)
    expect(told).toEqual(beyond === null ? [] : [beyond])
    expect(crawl.refusalOf(pages[10]?.url ?? '')).toBe(
      beyond === null ? null : 'The source has more than 10 pages. What comes after is not read.',
    )
  })
})
