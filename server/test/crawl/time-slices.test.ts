import { everyReader } from '../support/indexing/every-reader.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRobotsInChild, PagePool } from '#readers/page-pool.ts'
import { type IngestDeps, ingest } from '#indexing/ingest.ts'
import { createOpenCrawls } from '#indexing/open-crawls.ts'
import type { SourceReader } from '#sources/source-document.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { TooEarly } from '#jobs/lease.ts'
import { claim } from '#store/jobs/claim.ts'
import { finish, putOff } from '#store/jobs/queue.ts'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { createRobotsCache } from '#net/robots.ts'
import type { Store } from '#store/db.ts'
import { BuildPool } from '#search/build-pool.ts'
import { countReasons } from '#store/pages/page-report.ts'
import { findSourceById, updateSourceRow } from '#store/sources/sources.ts'
import { makeStore, onSqliteAtLeast } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'

const never = () => Promise.reject(new Error('its type was given'))
const noReader = async function* () {
  yield* []
}

type Options = {
  /** Requests per slice. */
  requests: number
  /** Each slice runs on another node, which shares only the store. */
  isElsewhere?: boolean
  /** Reader of a source that is not a site. */
  reader?: SourceReader
  mostReadingMs?: number
  afterSlice?: (store: Store, slices: number) => Promise<void>
}

onSqliteAtLeast('crawl in time slices', (engine) => {
  let pages: PagePool
  let builder: BuildPool
  beforeAll(() => {
    pages = new PagePool({ workers: 1 })
    builder = new BuildPool()
  })
  afterAll(() => disposeAll(pages, builder))

  /** Crawls a site to its end. Returns its source, the number of slices, and the reasons of skipped pages. */
  async function crawl(site: Site, { requests, isElsewhere = false, afterSlice, ...options }: Options) {
    await using store = await makeStore(engine)
    const row = await insertSource(store, { url: `${site.url}/`, type: options.reader ? 'repo' : 'docs' })
    await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'Docent/test' })
    using pacer = createPacer()
    let openCrawls = createOpenCrawls()
    await enqueueIngest(store.write, row)
    for (let slices = 1; ; slices++) {
      const job = await claim(store, Date.now() + 60_000)
      if (!job) throw new Error('nothing to do')
      expect(job).toMatchObject({ attempts: 1, fence: slices })
      const slice = new AbortController()
      let sent = 0
      const counting: IngestDeps['net'] = {
        ...net,
        fetch(url, request) {
          if (++sent >= requests) slice.abort()
          return net.fetch(url, request)
        },
      }
      const deps: IngestDeps = {
        store,
        net: counting,
        pacer,
        pages,
        builder,
        openCrawls,
        renderer: null,
        embedder: null,
        detect: never,
        ...(options.mostReadingMs === undefined ? {} : { mostReadingMs: options.mostReadingMs }),
        robots: createRobotsCache({ net, userAgent: 'Docent/test', parse: parseRobotsInChild(pages) }),
        readers: everyReader(options.reader ?? noReader),
      }
      const lease = { job, signal: new AbortController().signal, slice: slice.signal, onAskPause: () => undefined }
      const read = async () => (await findSourceById(store.read, 'src_1')) ?? Promise.reject(new Error('gone'))
      try {
        await ingest(deps, { sourceId: 'src_1' }, lease)
        await finish(store.write, job, 'done')
        return { source: await read(), slices, reasons: await countReasons(store.read, 'src_1') }
      } catch (error) {
        if (!(error instanceof TooEarly)) throw error
        await putOff(store.write, job, error.runAt)
      }
      const source = await read()
      const { pagesFound, pagesIndexed, pagesSkipped, pagesFailed, pagesToGo } = source
      expect(pagesIndexed + pagesSkipped + pagesFailed + pagesToGo).toBe(pagesFound)
      expect(source.crawlStatus).toBe('crawling')
      await afterSlice?.(store, slices)
      if (isElsewhere) openCrawls = createOpenCrawls()
      if (slices > 500) throw new Error('The crawl does not come to an end')
    }
  }

  const requestsOf = (site: Site, path: string) => site.requests.filter((request) => request.path === path).length

  /** A site with pages linked from its start, and as many that only its sitemap lists. */
  async function startListedSite(count: number): Promise<Site> {
    const linked = Array.from({ length: count }, (_, n) => `/linked-${n}`)
    const listed = Array.from({ length: count }, (_, n) => `/listed-${n}`)
    const site = await startSite({ '/': page('Start', 'Where everything begins and is explained.', linked) })
    for (const path of [...linked, ...listed]) {
      site.pages.set(path, page(`Page ${path}`, `All that there is to know about ${path}, told at length.`))
    }
    const maps = listed.map((path, n) => {
      site.pages.set(`/map-${n}.xml`, `<urlset><url><loc>${site.url}${path}</loc></url></urlset>`)
      return `<sitemap><loc>${site.url}/map-${n}.xml</loc></sitemap>`
    })
    site.pages.set('/sitemap.xml', `<sitemapindex>${maps.join('')}</sitemapindex>`)
    return site
  }

  test('indexes every page and fetches none twice', async () => {
    await using site = await startListedSite(30)
    const { source, slices } = await crawl(site, { requests: 8 })
    expect(slices).toBeGreaterThan(4)
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesFound: 61, pagesIndexed: 61, pagesToGo: 0 })
    expect(JSON.parse(source.segments)).toHaveLength(1)
    // The start is fetched once to resolve redirects, and once as a page.
    for (const path of site.pages.keys()) expect([path, requestsOf(site, path)]).toEqual([path, path === '/' ? 2 : 1])
  })

  test('continues where another node stopped and fetches no page twice', async () => {
    await using site = await startListedSite(20)
    const { source, slices } = await crawl(site, { requests: 60, isElsewhere: true })
    expect(slices).toBeGreaterThan(1)
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesFound: 41, pagesIndexed: 41, pagesToGo: 0 })
    const settled = [...site.pages.keys()].filter((path) => path.startsWith('/li'))
    for (const path of settled) expect([path, requestsOf(site, path)]).toEqual([path, 1])
  })

  test('counts the attempts of a failing page over all slices', async () => {
    await using site = await startListedSite(6)
    site.pages.set('/linked-3', (_, response) => void response.writeHead(500).end())
    const { source, reasons } = await crawl(site, { requests: 1 })
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 12, pagesFailed: 1, pagesToGo: 0 })
    expect(reasons).toMatchObject([{ reason: 'server_error' }])
    expect(requestsOf(site, '/linked-3')).toBe(3)
  })

  test('notices over all slices that a site is down', async () => {
    await using site = await startListedSite(20)
    for (const path of site.pages.keys()) {
      if (path.startsWith('/li')) site.pages.set(path, (_, response) => void response.writeHead(500).end())
    }
    await expect(crawl(site, { requests: 2 })).rejects.toThrow(/stopped answering/)
  })

  test('takes no page for a crawl trap because it was left for the next slice', async () => {
    const paths = Array.from({ length: 40 }, (_, n) => `/list?page=${n}`)
    await using site = await startSite({ '/': page('Start', 'Where everything begins and is explained.', paths) })
    for (const path of paths) site.pages.set(path, page(`List ${path}`, `What is on ${path} of the list, at length.`))
    const { source, reasons } = await crawl(site, { requests: 2 })
    expect(reasons).toEqual([])
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 41, pagesToGo: 0 })
  })

  test('applies patterns that its owner changes meanwhile', async () => {
    await using site = await startListedSite(20)
    const { source, reasons } = await crawl(site, {
      requests: 8,
      async afterSlice({ write }, slices) {
        if (slices === 1) await updateSourceRow(write, 'src_1', { excludePatterns: '["/listed-*"]' })
      },
    })
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesToGo: 0 })
    expect(requestsOf(site, '/listed-19')).toBe(0)
    for (const { reason } of reasons) expect(reason).toBe('out_of_scope')
  })

  test('publishes the first pages midway and merges the segments at its end', async () => {
    await using site = await startListedSite(30)
    const published: number[] = []
    const { source } = await crawl(site, {
      requests: 3,
      async afterSlice({ read }) {
        const now = await findSourceById(read, 'src_1')
        published.push((JSON.parse(now?.segments ?? '[]') as string[]).length)
        await sleep(100)
      },
    })
    expect(published.some((segments) => segments > 0)).toBe(true)
    // Publishing in each slice would make as many segments as slices.
    expect(Math.max(...published)).toBeLessThan(published.length / 3)
    expect(JSON.parse(source.segments)).toHaveLength(1)
  })

  test.each([
    ['in time', 0, 5_000],
    ['too late', 5_000, 200],
  ])('reads an indivisible source %s, whatever its slice', async (_, takesMs, mostReadingMs) => {
    await using site = await startListedSite(1)
    const reader: SourceReader = async function* (deps) {
      await sleep(takesMs, undefined, { signal: deps.signal })
      const about = { title: 'A', markdown: '# A\n\nAll that there is to know about it.\n', language: null }
      yield { kind: 'document', url: `${site.url}/a`, ...about }
    }
    const reading = crawl(site, { requests: 0, reader, mostReadingMs })
    if (takesMs === 0) expect((await reading).source).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1 })
    else
      await expect(reading).rejects.toMatchObject({
        name: 'GiveUp',
        message: expect.stringMatching(/took longer than/),
      })
  })
})
