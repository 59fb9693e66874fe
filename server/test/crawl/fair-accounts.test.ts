import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, type Site, page, startSite } from '../support/sites/site.ts'

/** A site whose pages are all linked from its start and answer after `delay()` milliseconds. */
async function startSlowSite(pages: number, delay: () => number): Promise<Site> {
  const slowly =
    (html: string): Page =>
    (_, response) =>
      void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html), delay())
  const paths = Array.from({ length: pages }, (_, n) => `/page-${n}`)
  const site = await startSite({ '/': page('Start', 'Where everything begins and is explained.', paths) })
  for (const path of paths) {
    site.pages.set(path, slowly(page(`Page ${path}`, `All that there is to know about ${path}, told at length.`)))
  }
  return site
}

/** Accepts connections to every address of this machine, and never answers. Returns the port. */
async function listenInSilence(stack: AsyncDisposableStack): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  stack.defer(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** Waits in steps, which get longer with everything else in this process if the machine is loaded. */
async function pass(ms: number): Promise<void> {
  for (let n = 0; n < ms / 50; n++) await sleep(50)
}

const startSmallSite = () =>
  startSite({
    '/': page('Home', 'Welcome to the place where the gadgets are explained.', ['/a', '/b']),
    '/a': page('Apples', 'Apples are described at length, with their colours and their seasons.'),
    '/b': page('Pears', 'Pears are described at length, with their colours and their seasons.'),
  })

onSqliteAtLeast('account beside a busy one', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(async () => docent[Symbol.asyncDispose]())

  const create = async (name: string, sources: { url: string; type: string; excludePatterns?: string[] }[]) => {
    const key = await docent.makeKey(`${name}@example.test`)
    const ask = (method: string, path: string, body?: object) => docent.request(method, path, body, { key })
    const { body } = await ask('POST', '/api/mcp/create', { name, sources })
    return {
      sources: async () => (await ask('GET', `/api/mcp/${body.slug}`)).body.sources as any[],
      remove: () => ask('DELETE', `/api/mcp/${body.slug}`),
    }
  }
  const untilComplete = async (server: Awaited<ReturnType<typeof create>>) => {
    const states = async () => (await server.sources()).map(({ crawlStatus }) => crawlStatus)
    await expect.poll(states).toEqual(['complete'])
  }

  test.each([
    ['answer at once', 0],
    ['answer late', 800],
  ])('reads a small site beside slow sources of another account that %s', async (_, startMs) => {
    await using stack = new AsyncDisposableStack()
    const slow = await Promise.all([1, 2, 3, 4, 5].map(() => startSlowSite(200, () => 1_000)))
    for (const site of slow) {
      stack.use(site)
      const start = site.pages.get('/') as string
      site.pages.set(
        '/',
        (__, response) =>
          void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(start), startMs),
      )
    }
    const small = stack.use(await startSmallSite())
    const many = await create(
      'many',
      slow.map(({ url }) => ({ url: `${url}/`, type: 'docs' })),
    )
    const crawling = async () => (await many.sources()).filter(({ crawlStatus }) => crawlStatus === 'crawling').length
    // More than three where the hosts are slow to answer.
    await expect.poll(crawling).toBeGreaterThanOrEqual(3)
    await untilComplete(await create('small', [{ url: `${small.url}/`, type: 'docs' }]))
    expect(await crawling()).toBeGreaterThan(0)
    await many.remove()
  })

  test('reads a good source of an account before thirty whose hosts never answer have ended', async () => {
    await using stack = new AsyncDisposableStack()
    const port = await listenInSilence(stack)
    const good = stack.use(await startSmallSite())
    const key = await docent.makeKey('dead@example.test')
    const create = async (name: string, urls: string[]) => {
      const sources = urls.map((url) => ({ url, type: 'docs' }))
      const { body } = await docent.request('POST', '/api/mcp/create', { name, sources }, { key })
      return async () =>
        (await docent.request('GET', `/api/mcp/${body.slug}`, undefined, { key })).body.sources as any[]
    }
    const dead: (() => Promise<any[]>)[] = []
    for (let n = 0; n < 6; n++) {
      const urls = [0, 1, 2, 3, 4].map((at) => `http://127.0.0.${2 + n * 5 + at}:${port}/`)
      dead.push(await create(`dead ${n}`, urls))
    }
    const tenSeconds = inject('isLong') ? pass(10_000).then(() => 'ten seconds') : null
    const living = await create('living', [`${good.url}/`])
    const firstPage = expect.poll(async () => (await living())[0].pagesIndexed, { interval: 100 }).toBeGreaterThan(0)
    const first = firstPage.then(() => 'its first page')
    expect(await (tenSeconds ? Promise.race([first, tenSeconds]) : first)).toBe('its first page')
    const states = async (sources: () => Promise<any[]>) => (await sources()).map(({ crawlStatus }) => crawlStatus)
    await expect.poll(() => states(living)).toEqual(['complete'])
    const statesOfDead = (await Promise.all(dead.map(states))).flat()
    expect(statesOfDead).toHaveLength(30)
    expect(statesOfDead.filter((state) => state !== 'pending' && state !== 'crawling')).toEqual([])
  })

  test('gives an account its turn after a time slice, and the interrupted crawls lose nothing', async () => {
    await using stack = new AsyncDisposableStack()
    let delay = 1_500
    const slow = await Promise.all([1, 2, 3, 4, 5].map(() => startSlowSite(80, () => delay)))
    for (const site of slow) stack.use(site)
    const small = stack.use(await startSmallSite())
    const docs = slow.map(({ url }) => ({ url: `${url}/`, type: 'docs' }))
    const others = [await create('one', docs.slice(0, 3)), await create('two', docs.slice(3))]
    const all = async () => (await Promise.all(others.map((other) => other.sources()))).flat()
    const crawling = async () => (await all()).filter(({ crawlStatus }) => crawlStatus === 'crawling').length
    await expect.poll(crawling).toBeGreaterThanOrEqual(4)
    await untilComplete(await create('late', [{ url: `${small.url}/`, type: 'docs' }]))
    // The fifth one has had its turn, although none of the others is finished.
    await expect.poll(crawling).toBe(5)
    const rowsOfSlow = async () => {
      const rows = await docent.inStore(({ read }) => read.selectFrom('sources').selectAll().execute())
      return rows.filter(({ url }) => slow.some((site) => url.startsWith(site.url)))
    }
    // Each has read its start page by then.
    await expect.poll(async () => (await rowsOfSlow()).filter(({ pagesToGo }) => pagesToGo > 0).length).toBe(5)
    const slowRows = await rowsOfSlow()
    for (const { pagesFound, pagesIndexed, pagesSkipped, pagesFailed, pagesToGo } of slowRows)
      expect(pagesIndexed + pagesSkipped + pagesFailed + pagesToGo).toBe(pagesFound)
    delay = 0
    const states = async () => (await all()).map(({ crawlStatus, pagesIndexed }) => [crawlStatus, pagesIndexed])
    await expect.poll(states, { interval: 200 }).toEqual(slow.map(() => ['complete', 81]))
    for (const { requests } of slow) {
      const pages = requests.map(({ path }) => path).filter((path) => path.startsWith('/page-'))
      expect(pages.length).toBe(new Set(pages).size)
      expect(requests.filter(({ path }) => /\.(?:txt|xml)$/.test(path)).length).toBeLessThanOrEqual(4)
    }
    const ids = new Set(slowRows.map(({ id }) => id))
    const jobs = await docent.inStore(({ read }) => read.selectFrom('jobs').selectAll().execute())
    expect(jobs.filter(({ sourceId }) => sourceId !== null && ids.has(sourceId))).toEqual([])
    // Whatever the number of slices, segments published during the crawl are merged at its end.
    const ended = await docent.inStore(({ read }) => read.selectFrom('sources').selectAll().execute())
    for (const { id, segments } of ended) if (ids.has(id)) expect(JSON.parse(segments)).toHaveLength(1)
  })

  test('reads a small site beside many sources of another account at the same host', async () => {
    await using stack = new AsyncDisposableStack()
    const site = stack.use(await startSlowSite(3, () => 100))
    for (let n = 0; n < 30; n++) {
      const paths = Array.from({ length: 60 }, (_, at) => `/s-${n}/page-${at}`)
      site.pages.set(`/s-${n}/`, page(`Part ${n}`, `Where part ${n} begins and is explained.`, paths))
      for (const path of paths) {
        const html = page(`Page ${path}`, `All that there is to know about ${path}, told at length.`)
        site.pages.set(path, (_, response) => {
          setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html), 100)
        })
      }
    }
    const parts = Array.from({ length: 30 }, (_, n) => ({ url: `${site.url}/s-${n}/`, type: 'docs' }))
    const many = await create('crowd', parts)
    const crawling = async () => (await many.sources()).filter(({ crawlStatus }) => crawlStatus === 'crawling').length
    await expect.poll(crawling).toBe(3)
    const sources = [{ url: `${site.url}/`, type: 'docs', excludePatterns: ['/s-*'] }]
    await untilComplete(await create('alone', sources))
    expect(await crawling()).toBeGreaterThan(0)
    await many.remove()
  })

  test('starts crawls beside others that wait for their hosts', async () => {
    await using stack = new AsyncDisposableStack()
    const busy = await Promise.all([1, 2, 3, 4, 5, 6].map(() => startSlowSite(100, () => 0)))
    for (const site of busy) {
      stack.use(site)
      const paths = [...site.pages.keys()].slice(20)
      for (const path of paths)
        site.pages.set(path, (_, response) => void response.writeHead(429, { 'retry-after': '200' }).end())
    }
    const small = stack.use(await startSmallSite())
    const docs = busy.map(({ url }) => ({ url: `${url}/`, type: 'docs' }))
    const others = [await create('three', docs.slice(0, 3)), await create('four', docs.slice(3))]
    const all = async () => (await Promise.all(others.map((other) => other.sources()))).flat()
    // All six start within one pause, which outlasts the test, although there are four places.
    const begun = async () => (await all()).filter(({ pagesIndexed }) => pagesIndexed > 10).length
    await expect.poll(begun).toBe(6)
    await untilComplete(await create('five', [{ url: `${small.url}/`, type: 'docs' }]))
    for (const other of others) await other.remove()
  })

  test('reads a small site beside refused addresses of another account', async () => {
    await using site = await startSmallSite()
    for (let n = 0; n < 12; n++) {
      site.pages.set(
        `/go-${n}.pdf`,
        (_, response) => void response.writeHead(302, { location: 'http://10.1.2.3/' }).end(),
      )
    }
    const pdfs = Array.from({ length: 12 }, (_, n) => ({ url: `${site.url}/go-${n}.pdf`, type: 'pdf' }))
    const refused = await create('redirecting', pdfs)
    await untilComplete(await create('honest', [{ url: `${site.url}/`, type: 'docs' }]))
    const states = async () => new Set((await refused.sources()).map(({ crawlStatus }) => crawlStatus))
    await expect.poll(states).toEqual(new Set(['error']))
  })
})
