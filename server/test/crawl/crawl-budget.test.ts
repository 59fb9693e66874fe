import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { SourceReader } from '#sources/source-document.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { makeIngestWorld } from '../support/indexing/ingest-world.ts'
import { type Page, page, startSite } from '../support/sites/site.ts'

const text = (at: number) =>
  `Page ${at} says something about its own matter, which is ${'abcdefghij'.charAt(at % 10)}${'klmnopqrst'.charAt(Math.floor(at / 10) % 10)}${'uvwxyzabcd'.charAt(Math.floor(at / 100))}.`
const paths = (count: number, prefix = '/p') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const sitemap = (urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

/** A site whose sitemap lists pages made by `make`. */
async function startListed(listed: readonly string[], make: (at: number) => Page) {
  const pages = Object.fromEntries(listed.map((path, at) => [path, make(at)]))
  const site = await startSite({ '/': page('Home', 'Welcome to the site that this test is about.'), ...pages })
  site.pages.set('/sitemap.xml', sitemap(listed.map((path) => site.url + path)))
  return site
}

const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

onSqliteAtLeast('crawl budget of a source', (engine) => {
  test('limits the stored addresses of a sitemap of long URLs', async () => {
    const long = (length: number) => (at: number) => `/${at}-`.padEnd(length, 'x')
    await using site = await startSite({ '/': page('Home', 'Welcome to the site that this test is about.') })
    const zipped = (make: (at: number) => string) =>
      gzipSync(sitemap(Array.from({ length: 5_000 }, (_, at) => site.url + make(at))))
    const files = [long(7_900), ...paths(3, 'f').map((name) => (at: number) => long(1_900)(at) + name)].map(zipped)
    const index = files.map((_, at) => `<sitemap><loc>${site.url}/sitemap-${at}.xml.gz</loc></sitemap>`)
    site.pages.set('/sitemap.xml', `<sitemapindex>${index.join('')}</sitemapindex>`)
    for (const [at, bytes] of files.entries())
      site.pages.set(`/sitemap-${at}.xml.gz`, (_, response) => void response.writeHead(200).end(bytes))
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    const { source } = await world.crawl({ useless: 50 })
    const rows = await world.store.read.selectFrom('pages').select('url').execute()
    const characters = rows.reduce((sum, { url }) => sum + url.length, 0)
    expect(characters).toBeGreaterThan(2_000_000)
    expect(characters).toBeLessThanOrEqual(20_002_000)
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1, pagesToGo: 0 })
    expect(await world.outcomes()).toMatchObject({ indexed: 1, no_new_pages: expect.any(Number) })
  })

  test('stops the crawl at its byte budget and publishes the pages so far', async () => {
    const comment = `<!-- ${'x'.repeat(50_000)} -->`
    await using site = await startListed(paths(60), (at) => page(`Page ${at}`, text(at)) + comment)
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    const { source } = await world.crawl({ fetchedBytes: 1_000_000 })
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesFound: 61, pagesToGo: 0, crawlError: null })
    const { indexed = 0, byte_limit: left = 0, ...rest } = await world.outcomes()
    expect([indexed + left, rest]).toEqual([61, {}])
    // Pages in flight when the limit was reached are still read.
    expect(indexed).toBeGreaterThan(15)
    expect(indexed).toBeLessThan(20 + 16)
    expect(source.publishedPages).toBe(indexed)
    // The next refresh has its own budget. Indexed pages stay even if that is exhausted too.
    const again = await world.crawl({ fetchedBytes: 1_000 })
    expect(again.source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: indexed, publishedPages: indexed })
    expect((await world.crawl()).source).toMatchObject({ pagesIndexed: 61, pagesSkipped: 0 })
  })

  test('stops the crawl when its slices have used up their total time', async () => {
    const slowly = (at: number): Page => {
      const html = page(`Page ${at}`, text(at))
      return (_, response) =>
        void sleep(50).then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    }
    await using site = await startListed(paths(300), slowly)
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    const hour = 3_600_000
    // The state that another slice has left.
    const { source } = await world.crawl({ activeMs: 3 * hour }, { activeMs: 3 * hour - 700, useful: 5 })
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesFound: 301, pagesToGo: 0 })
    const { indexed = 0, time_limit: left = 0, ...rest } = await world.outcomes()
    expect([indexed + left, rest]).toEqual([301, {}])
    expect(indexed).toBeGreaterThan(0)
    expect(left).toBeGreaterThan(0)
    expect(JSON.parse((await findSourceById(world.store.read, 'src_1'))?.crawlUsage ?? '{}')).toMatchObject({
      ended: 'time_limit',
    })
  })

  test('takes no more text than the plan includes and keeps indexed pages up to date', async () => {
    await using site = await startListed(paths(60), (at) => page(`Page ${at}`, text(at)))
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    const { source } = await world.crawl({ textBytes: 1_000 })
    const { indexed = 0, text_limit: left = 0, ...rest } = await world.outcomes()
    expect([indexed + left, rest]).toEqual([61, {}])
    expect(source.textBytes).toBeGreaterThanOrEqual(1_000)
    expect(source.textBytes).toBeLessThan(1_000 + 64 * 100)
    site.pages.set('/p0', page('Page 0', 'Something new.'))
    await world.crawl({ textBytes: 1_000 })
    const changed = await world.store.read.selectFrom('pages').select('textHash').where('url', 'like', '%/p0').execute()
    const before = await world.store.read.selectFrom('texts').select('hash').execute()
    expect(before.map(({ hash }) => hash)).toContain(changed[0]?.textHash)
    expect(await world.outcomes()).toEqual({ indexed, text_limit: left })
    expect((await world.crawl({ textBytes: 1_000_000 })).source.pagesIndexed).toBe(61)
  })

  test.each<[string, string, (site: { url: string }) => (at: number) => Page]>([
    ['duplicates', 'duplicate', () => () => page('Same', 'Every page of this site says the same at some length.')],
    ['empty pages', 'no_text', () => () => '<!doctype html><title></title><body></body>'],
    ['missing pages', 'not_found', () => () => (_, response) => void response.writeHead(404).end()],
    ['noindex pages', 'noindex', () => (at) => `<meta name="robots" content="noindex">${page('No', text(at))}`],
    [
      'redirects to one page',
      'redirect',
      () => () => (_, response) => void response.writeHead(301, { location: '/' }).end(),
    ],
  ])('stops the crawl after too many %s in a row', async (_, reason, make) => {
    await using site = await startListed(paths(700), () => '')
    for (const [at, path] of paths(700).entries()) site.pages.set(path, make(site)(at))
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    await world.crawl({ useless: 60 })
    const counts = await world.outcomes()
    expect(sumOf(counts)).toBe(701)
    expect(counts).toMatchObject({ [reason]: expect.any(Number) })
    expect(counts[reason]).toBeGreaterThan(59)
    // Sixteen pages are in flight at once, each followed by up to one batch of 32 on its way to the store.
    expect(counts['no_new_pages']).toBeGreaterThan(700 - 60 - 16 * 32)
  })

  test('continues past runs of duplicates, redirects and excluded pages of realistic length', async () => {
    const listed = [
      ...paths(60, '/new/'),
      ...paths(100, '/old/'),
      ...paths(300, '/no/'),
      ...paths(90, '/moved/'),
      '/last',
    ]
    await using site = await startListed(listed, (at) => {
      if (at < 60) return page(`Page ${at}`, text(at))
      if (at < 160) return page('Page 0', text(0))
      if (at < 550) return (_, response) => void response.writeHead(301, { location: `/moved-to/${at}` }).end()
      return page('The last one', 'It is found after all of the others.')
    })
    site.pages.set('/robots.txt', 'User-agent: *\nDisallow: /no/\n')
    for (let at = 460; at < 550; at++) site.pages.set(`/moved-to/${at}`, page(`Moved ${at}`, text(at)))
    await using world = await makeIngestWorld(engine, `${site.url}/`)
    await world.crawl({ useless: 60 })
    expect(await world.outcomes()).toEqual({ indexed: 1 + 60 + 1 + 90, duplicate: 100, robots: 300, redirect: 90 })
  })

  test('stops a source read document by document at its budget and keeps what it has', async () => {
    await using site = await startSite({ '/file': 'x'.repeat(1_000) })
    const reader: SourceReader = async function* ({ net }, { url }) {
      for (let at = 0; at < 200; at++) {
        await net.fetch(`${site.url}/file`)
        yield { kind: 'document', url: `${url}${at}`, title: `Part ${at}`, markdown: text(at), language: 'en' }
      }
    }
    await using world = await makeIngestWorld(engine, `${site.url}/`, reader)
    const { source, givenUp } = await world.crawl({ fetchedBytes: 100_000 })
    expect(givenUp).toBe('The crawl has fetched 100000 bytes, as much as it may. What comes after is not read.')
    expect(source.publishedPages).toBeGreaterThanOrEqual(64)
    expect(source.publishedPages).toBeLessThanOrEqual(100)
    expect((await world.crawl()).source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 200 })
  })
})
