import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshDue } from '#jobs/enqueue-ingest.ts'
import { TEXT_FORMAT } from '#readers/text-hash.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'

const PAGES = 60

onSqliteAtLeast('dates in sitemaps', (engine) => {
  let docent: Docent
  let site: Site
  beforeAll(async () => {
    site = await startSite({})
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(async () => {
    for (const part of [docent, site]) await part[Symbol.asyncDispose]()
  })

  /** Gives a page of the site, and lists it with a date. */
  const dates = new Map<string, string>()
  const write = (path: string, word: string, date: string) => {
    site.pages.set(path, page(`Page ${path}`, `The ${word} of ${path} is described at length, with its seasons.`))
    dates.set(path, date)
    const entries = [...dates].map(([at, day]) => `<url><loc>${site.url}${at}</loc><lastmod>${day}</lastmod></url>`)
    site.pages.set('/sitemap.xml', `<urlset>${entries.join('')}</urlset>`)
  }

  test('are trusted once a page has changed with its date, until one changes without', async () => {
    const name = (at: number) => `/page-${String(at).padStart(2, '0')}`
    for (let at = 0; at < PAGES; at++) write(name(at), 'apple', '2020-01-01')
    site.pages.set('/', page('Home', 'The start of everything that is described here.'))
    const { slug } = await docent.createServer({ name: 'Dated', sources: [{ url: `${site.url}/`, type: 'docs' }] })
    const refresh = async () => {
      site.requests.length = 0
      await docent.request('POST', `/api/mcp/${slug}/crawl`)
      const { sources } = await docent.untilDone(slug)
      return {
        refresh: sources[0].refresh,
        asked: site.requests.filter(({ path }) => path.startsWith('/page-')).length,
      }
    }
    const find = async (query: string) =>
      (await docent.callTool(slug, 'search_docs', { query })).result.content[0].text as string

    expect(await refresh()).toEqual({ refresh: { unchanged: PAGES + 1, notFetched: 0 }, asked: PAGES })
    write(name(7), 'bathyscaphe', '2020-02-01')
    expect(await refresh()).toEqual({ refresh: { unchanged: PAGES, notFetched: 0 }, asked: PAGES })

    write(name(9), 'dirigible', '2020-03-01')
    const { refresh: counts, asked } = await refresh()
    expect(await find('dirigible')).toContain('dirigible')
    // It was read first, because its date is another one.
    expect(site.requests.find(({ path }) => path.startsWith('/page-'))?.path).toBe(name(9))
    const [source] = (await docent.untilDone(slug)).sources
    expect(source.changes).toEqual({ added: 0, changed: 1, removed: 0 })
    // The schedule is daily.
    const tomorrow = Date.parse(source.lastIndexedAt) + 24 * 60 * 60 * 1000
    expect(Math.abs(Date.parse(source.nextRefreshAt) - tomorrow)).toBeLessThan(60 * 60 * 1000)
    // The start page is always fetched, and so is one page of 50.
    expect(counts.unchanged).toBe(PAGES)
    expect(counts.notFetched).toBe(PAGES - asked)
    expect(counts.notFetched / counts.unchanged).toBeGreaterThanOrEqual(0.95)

    // Each page is checked at least once in 50 refreshes.
    for (let at = 0; at < PAGES; at++) if (at !== 9) write(name(at), 'zeppelin', '2020-01-01')
    await refresh()
    expect((await refresh()).asked).toBe(PAGES)
    expect(await find('zeppelin')).toContain('zeppelin')
  })

  test('are in answers, which note pages that have not changed for a year', async () => {
    const sources = [{ url: `${site.url}/`, type: 'docs' }]
    const { slug } = await docent.createServer({ name: 'Ages', sources, structuredOutput: true })
    const asked = await docent.callTool(slug, 'ask_question', {
      question: 'What is said of the dirigible of /page-09?',
    })
    expect(asked.result.content[0].text).toContain('[note] Not changed for more than a year: [1] 2020-03-01.')
    const age = { readAt: expect.stringMatching(/^\d{4}-/), changedAt: '2020-03-01T00:00:00.000Z' }
    expect(asked.result.structuredContent.citations[0]).toMatchObject(age)
    const found = await docent.callTool(slug, 'search_docs', { query: 'dirigible' })
    expect(found.result.structuredContent.results[0]).toMatchObject(age)
    const ageMs = Date.now() - Date.parse(found.result.structuredContent.results[0].readAt)
    expect(ageMs).toBeLessThan(60 * 60 * 1000)
  })

  test('come from the feed that a start page names too, whose pages are read first', async () => {
    const entry = (path: string, day: string) =>
      `<entry><link href="${path}"/><updated>${day}T00:00:00Z</updated></entry>`
    const feed = (...entries: string[]) => `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`
    const about = (word: string) => page('News', `The ${word} of the news is described at length, with its seasons.`)
    const link = '<link rel="alternate" type="application/atom+xml" href="/news/atom.xml">'
    site.pages.set(
      '/news/',
      page('All news', 'All news are described here.', ['/news/a']).replace('</head>', `${link}</head>`),
    )
    site.pages.set('/news/a', about('harp'))
    site.pages.set('/news/b', about('lute'))
    site.pages.set('/news/atom.xml', feed(entry('/news/a', '2020-01-01'), entry('/news/b', '2020-01-01')))
    const { slug } = await docent.createServer({ name: 'News', sources: [{ url: `${site.url}/news/`, type: 'docs' }] })
    const find = async (query: string) =>
      (await docent.callTool(slug, 'search_docs', { query })).result.content[0].text as string
    // No link leads to it.
    expect(await find('lute')).toContain('/news/b')
    site.pages.set('/news/b', about('zither'))
    site.pages.set('/news/atom.xml', feed(entry('/news/a', '2020-01-01'), entry('/news/b', '2020-02-01')))
    site.requests.length = 0
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    await docent.untilDone(slug)
    expect(site.requests.map(({ path }) => path).find((path) => /^\/news\/[ab]$/.test(path))).toBe('/news/b')
    expect(await find('zither')).toContain('/news/b')
  })

  test('are not needed for pages that their server calls fresh, which only requests read again', async () => {
    const cached = (word: string) => page('Cached', `The ${word} of the cache is described at length, with seasons.`)
    let word = 'marimba'
    site.pages.set('/cached/', page('All of it', 'What is cached is described here.', ['/cached/a', '/cached/b']))
    site.pages.set('/cached/a', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=86400' }).end(cached(word)),
    )
    site.pages.set('/cached/b', cached('bassoon'))
    const sources = [{ url: `${site.url}/cached/`, type: 'docs' }]
    const { slug } = await docent.createServer({ name: 'Cached', sources })
    word = 'celesta'
    const readAgain = async (begin: () => Promise<unknown>) => {
      site.requests.length = 0
      await begin()
      const [source] = (await docent.untilDone(slug)).sources
      const asked = site.requests.map(({ path }) => path).filter((path) => /^\/cached\/.?$/.test(path))
      return { asked: [...new Set(asked)].sort(), ...source.refresh }
    }
    const refresh = () => docent.request('POST', `/api/mcp/${slug}/crawl`)
    const tomorrow = { now: Date.now() + 25 * 60 * 60 * 1000, textFormat: TEXT_FORMAT }
    const scheduled = () => docent.inStore((store) => refreshDue(store, tomorrow))
    const some = { asked: ['/cached/', '/cached/b'], unchanged: 3, notFetched: 1 }
    expect(await readAgain(scheduled)).toEqual(some)
    const all = { asked: ['/cached/', '/cached/a', '/cached/b'], unchanged: 2, notFetched: 0 }
    expect(await readAgain(refresh)).toEqual(all)
    expect(await readAgain(scheduled)).toEqual(some)
  })
})
