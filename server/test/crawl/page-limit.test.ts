import { expect, test } from 'vitest'
import { openCrawlBudget } from '#crawl/crawl-budget.ts'
import { CrawlStore } from '#crawl/crawl-store.ts'
import type { Store } from '#store/db.ts'
import { countPages } from '#store/pages/page-report.ts'
import { sizeOfAddresses } from '#store/pages/pages.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'

const HOST = 'https://a.example.test/'
/** URLs of 30 characters each. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ url: `${HOST}${String(at).padStart(7, '0')}`, depth: 1 }))

/** Opens the source's crawl, or resumes it. */
async function openCrawl(store: Store, limits: { mostPages?: number; mostCharacters?: number }) {
  const source = await findSourceById(store.read, 'src_1')
  return new CrawlStore({
    inLeasedTransaction: (body) => store.transaction(body),
    sourceId: 'src_1',
    run: 1,
    counts: await countPages(store.read, 'src_1', 1),
    characters: await sizeOfAddresses(store.read, 'src_1'),
    budget: openCrawlBudget({ saved: source?.crawlUsage ?? null, textBytes: 0 }),
    isWhole: false,
    ...limits,
  })
}

const rowsOf = async ({ read }: Store) =>
  (await read.selectFrom('pages').select('url').orderBy('id').execute()).map(({ url }) => url)

onBothEngines('page limit of a source', (engine) => {
  test.each([
    ['pages', 10, { mostPages: 10, mostCharacters: 999 }, 10],
    ['pages', 11, { mostPages: 10, mostCharacters: 999 }, 11],
    ['pages', 30, { mostPages: 10, mostCharacters: 999 }, 11],
    ['characters', 10, { mostPages: 99, mostCharacters: 300 }, 10],
    ['characters', 11, { mostPages: 99, mostCharacters: 300 }, 11],
    ['characters', 30, { mostPages: 99, mostCharacters: 329 }, 11],
  ])('limits %s: of %i addresses, %o admits %i and names the first one beyond', async (of, found, limits, taken) => {
    await using store = await makeStore(engine)
    await insertSource(store, { url: HOST, type: 'docs' })
    const pages = addresses(found)
    const crawl = await openCrawl(store, limits)
    await crawl.discover(pages.slice(0, 6))
    // Known addresses do not count against the limit and never exceed it.
    await crawl.discover(pages)
    expect(await rowsOf(store)).toHaveLength(taken)
    // A resumed crawl does not name a second one.
    const again = await openCrawl(store, limits)
    await again.discover([...pages, ...addresses(40)])
    expect(await rowsOf(store)).toHaveLength(found === 10 ? 11 : taken)
    const beyond = addresses(11)[10]?.url ?? ''
    for (const { url } of pages) if (url !== beyond) expect(again.refusalOf(url)).toBeNull()
    expect(again.refusalOf(beyond)).toBe(
      of === 'pages'
        ? 'The source has more than 10 pages. What comes after is not read.'
        : `The source has addresses of more than ${limits.mostCharacters} characters. What comes after is not read.`,
    )
    expect(again.isFull()).toBe(true)
  })

  test('keeps a URL of 2,000 characters, and lists at most twenty longer ones clipped', async () => {
    await using store = await makeStore(engine)
    await insertSource(store, { url: HOST, type: 'docs' })
    const crawl = await openCrawl(store, {})
    const url = (length: number, at = '') => `${HOST}${at}`.padEnd(length, 'x')
    await crawl.discover([{ url: url(2_000), depth: 1 }])
    await crawl.discover([{ url: url(2_001), depth: 1 }])
    expect(await rowsOf(store)).toEqual([url(2_000), `${url(1_999)}…`])
    const long = Array.from({ length: 50 }, (_, at) => ({ url: url(7_900, `${at}-`), depth: 1 }))
    await crawl.discover(long)
    await crawl.discover(long)
    const rows = await rowsOf(store)
    expect(rows).toHaveLength(1 + 20)
    expect(Math.max(...rows.map(({ length }) => length))).toBe(2_000)
  })
})
