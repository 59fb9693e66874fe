import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'
import { makeDocx } from '../support/lib/make-office.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const text = (word: string) => `This page tells all that there is to know about ${word}, in a sentence or two.`

async function index(docent: Docent, url: string) {
  const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url, type: 'docs' }] })
  return { slug: slug as string, detail }
}

async function refresh(docent: Docent, slug: string) {
  await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
  return docent.untilDone(slug)
}

/** URLs of the pages that a query finds. */
async function found(docent: Docent, slug: string, query: string): Promise<string[]> {
  const { result } = await docent.callTool(slug, 'search_docs', { query, limit: 10 })
  return resultsIn(result).map(({ url }) => new URL(url).pathname)
}

onSqliteAtLeast('crawl', (engine) => {
  let docent: Docent
  beforeAll(async () => void (docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })))
  afterAll(() => docent[Symbol.asyncDispose]())

  test('distinguishes pages that need JavaScript from short pages', async () => {
    const shell = (body: string) =>
      `<!doctype html><title>App</title><div id="root">${body}</div><script src="/a.js"></script>`
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/app', '/short']),
      '/app': shell('<noscript>You need to enable JavaScript to run this app.</noscript>'),
      '/short': shell(`<main><h1>Shortcuts</h1><p>${text('shortcuts')} ${text('them')}</p></main>`),
    })
    const { detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0]).toMatchObject({
      pagesIndexed: 2,
      pagesSkipped: 1,
      skipped: [{ reason: 'needs_javascript', pages: 1, example: expect.stringContaining('without JavaScript') }],
    })
  })

  test('follows links within its scope, counts every page, and makes all of them searchable', async () => {
    await using site = await startSite({
      '/docs/': page('Start', text('starting'), [
        '/docs/a',
        'b.html',
        '/blog/',
        '/docs/gone',
        '/docs/file.zip',
        'mailto:x@y.z',
      ]),
      '/docs/a': page('Apples', text('apples'), ['/docs/', '/docs/deep/er']),
      '/docs/b.html': page('Bananas', text('bananas')),
      '/docs/deep/er': page('Depth', text('depths')),
      '/blog/': page('Blog', text('blogging')),
    })
    const { slug, detail } = await index(docent, `${site.url}/docs/`)
    expect(detail).toMatchObject({ status: 'active', sourceCount: 1 })
    expect(detail.sources[0]).toMatchObject({
      crawlStatus: 'complete',
      pagesDiscovered: 5,
      pagesIndexed: 4,
      pagesSkipped: 0,
      pagesFailed: 1,
      skipped: [{ reason: 'not_found', pages: 1 }],
    })
    for (const [word, path] of [
      ['apples', '/docs/a'],
      ['bananas', '/docs/b.html'],
      ['depths', '/docs/deep/er'],
    ] as const) {
      expect(await found(docent, slug, word)).toContain(path)
    }
    expect(await found(docent, slug, 'blogging')).toEqual([])
    expect(site.requests.map(({ path }) => path)).not.toContain('/docs/file.zip')
  })

  test('reads linked files by media type, by ending and by content, and pages at their addresses', async () => {
    const served = (type: string, body: string | Uint8Array) => (_: unknown, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
    const notebook = JSON.stringify({ cells: [{ cell_type: 'markdown', source: '# Notes\n\nAbout quinces.' }] })
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    await using site = await startSite({
      '/': page('Start', text('starting'), [
        '/get?id=1',
        '/get?f=f.docx',
        '/b.docx',
        '/c.ipynb',
        '/d.org',
        '/login.docx',
        '/e.docx',
        '/g.docx',
      ]),
      '/get?id=1': served(word, makeDocx('Fruit', 'About medlars.')),
      '/b.docx': served('application/octet-stream', makeDocx('Fruit', 'About damsons.')),
      '/get?f=f.docx': served('application/octet-stream', makeDocx('Fruit', 'About cherries.')),
      '/g.docx': served('text/html', makeDocx('Fruit', 'About bananas.')),
      '/c.ipynb': served('application/json', notebook),
      '/d.org': served('text/plain', '* Fruit\nAbout sloes.'),
      '/login.docx': page('Rowans', text('rowans')),
      '/e.docx': served(word, 'no document'),
    })
    const { slug, detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0]).toMatchObject({
      pagesDiscovered: 9,
      pagesIndexed: 8,
      skipped: [{ reason: 'unreadable' }],
    })
    const places = {
      medlars: '/get',
      damsons: '/b.docx',
      quinces: '/c.ipynb',
      sloes: '/d.org',
      rowans: '/login.docx',
      cherries: '/get',
      bananas: '/g.docx',
    }
    for (const [word, path] of Object.entries(places)) expect(await found(docent, slug, word)).toEqual([path])
  })

  test('takes pages from sitemaps and llms.txt', async () => {
    await using site = await startSite({ '/': page('Start', text('starting')) })
    site.pages.set('/robots.txt', `Sitemap: ${site.url}/maps.xml`)
    site.pages.set('/maps.xml', `<sitemapindex><sitemap><loc>${site.url}/map1.xml</loc></sitemap></sitemapindex>`)
    site.pages.set('/map1.xml', `<urlset><url><loc>${site.url}/hidden</loc></url></urlset>`)
    site.pages.set('/llms.txt', `# Site\n\n- [Listed](${site.url}/listed): a page\n`)
    site.pages.set('/hidden', page('Hidden', text('hiding')))
    site.pages.set('/listed', page('Listed', text('listing')))
    const { slug, detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 3, pagesIndexed: 3 })
    expect(await found(docent, slug, 'hiding')).toEqual(['/hidden'])
    expect(await found(docent, slug, 'listing')).toEqual(['/listed'])
  })

  test('reads the newest stable version in one language and reports what it left out', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/en/v2/a', '/en/v1/a', '/de/v2/a', '/en/next/a', '/about']),
      '/en/v2/a': page('Apples', text('apples')),
      '/en/v1/a': page('Old apples', text('antiquities')),
      '/de/v2/a': page('Äpfel', text('Obstsorten')),
      '/en/next/a': page('Coming apples', text('futures')),
      '/about': page('About', text('companies')),
    })
    const { slug, detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 6, pagesIndexed: 3, pagesSkipped: 3 })
    const reasons = detail.sources[0].skipped.map(({ reason, pages }: { reason: string; pages: number }) => [
      reason,
      pages,
    ])
    expect(Object.fromEntries(reasons)).toEqual({ other_version: 2, other_language: 1 })
    expect(await found(docent, slug, 'apples')).toEqual(['/en/v2/a'])
    expect(site.requests.map(({ path }) => path)).not.toContain('/en/v1/a')
    const old = await index(docent, `${site.url}/en/v1/`.replace('/v1/', '/v1/a'))
    expect(old.detail.sources[0]).toMatchObject({ pagesIndexed: 1, pagesSkipped: 0 })
  })

  test('indexes a page once when its address works with and without a trailing slash', async () => {
    const guide = page('Guide', text('guides'), ['/guide/a', '/guide/a/', '/guide/', '#more'])
    const apples = page('Apples', text('apples'), ['/guide', '/guide/a/#top', '#more'])
    await using site = await startSite({
      '/guide': guide,
      '/guide/': guide,
      '/guide/a': apples,
      '/guide/a/': apples,
    })
    const { slug, detail } = await index(docent, `${site.url}/guide`)
    expect(detail.sources[0]).toMatchObject({ pagesIndexed: 2, pagesSkipped: 2 })
    expect(detail.sources[0].skipped).toMatchObject([{ reason: 'duplicate', pages: 2 }])
    expect(await found(docent, slug, 'apples')).toHaveLength(1)
  })

  test('obeys robots.txt, robots meta and redirects, and reports them', async () => {
    await using site = await startSite({
      '/robots.txt': 'User-agent: *\nDisallow: /secret',
      '/': page('Start', text('starting'), ['/secret', '/quiet', '/old', '/away', '/twin']),
      '/secret': page('Secret', text('secrets')),
      '/quiet': page('Quiet', text('silence'), ['/beyond']).replace(
        '<head>',
        '<head><meta name="robots" content="noindex">',
      ),
      '/beyond': page('Beyond', text('horizons')),
      '/old': (_, response) => response.writeHead(301, { location: '/new' }).end(),
      '/new': page('New', text('novelty')),
      '/away': (_, response) => response.writeHead(302, { location: 'https://elsewhere.example.test/' }).end(),
      '/twin': page('New', text('novelty')),
    })
    const { slug, detail } = await index(docent, `${site.url}/`)
    const [source] = detail.sources
    expect(source).toMatchObject({ pagesDiscovered: 8, pagesIndexed: 3, pagesSkipped: 5, pagesFailed: 0 })
    const reasons = Object.fromEntries(
      source.skipped.map(({ reason, pages }: { reason: string; pages: number }) => [reason, pages]),
    )
    expect(reasons).toEqual({ robots: 1, noindex: 1, redirect: 2, duplicate: 1 })
    expect(site.requests.map(({ path }) => path)).not.toContain('/secret')
    expect(await found(docent, slug, 'secrets silence')).toEqual([])
    expect(await found(docent, slug, 'horizons')).toEqual(['/beyond'])
    expect(await found(docent, slug, 'novelty')).toHaveLength(1)
  })

  test('sends conditional requests to an unchanged site, and keeps unchanged pages with their titles', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/a']),
      '/a': page('Apples', text('apples')),
    })
    const { slug, detail } = await index(docent, `${site.url}/`)
    const indexedAt = detail.sources[0].lastIndexedAt
    site.requests.length = 0
    const again = await refresh(docent, slug)
    expect(site.requests.filter(({ path }) => path === '/a')).toEqual([{ path: '/a', status: 304 }])
    expect(again.sources[0]).toMatchObject({ pagesIndexed: 2, chunks: detail.sources[0].chunks })
    expect(Date.parse(again.sources[0].lastIndexedAt)).toBeGreaterThan(Date.parse(indexedAt))
    const { body } = await docent.request('GET', `/api/mcp/${slug}/pages`)
    expect(body.pages.map(({ title }: { title: string }) => title)).toEqual(['Start', 'Apples'])
    site.etags = false
    site.requests.length = 0
    expect((await refresh(docent, slug)).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
    expect(site.requests.filter(({ path }) => path === '/a')).toEqual([{ path: '/a', status: 200 }])
    expect(await found(docent, slug, 'apples')).toEqual(['/a'])
  })

  test('picks up changed, new and deleted pages', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/a', '/b', '/c']),
      '/a': page('Apples', text('apples')),
      '/b': page('Bananas', text('bananas')),
      '/c': page('Cherries', text('cherries')),
    })
    const { slug } = await index(docent, `${site.url}/`)
    site.pages.set('/a', page('Apricots', text('apricots')))
    site.pages.delete('/b')
    site.pages.set('/', page('Start', text('starting'), ['/a', '/b', '/c', '/d']))
    site.pages.set('/d', page('Dates', text('dates')))
    const detail = await refresh(docent, slug)
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 5, pagesIndexed: 4, pagesFailed: 1 })
    expect(await found(docent, slug, 'apricots')).toEqual(['/a'])
    expect(await found(docent, slug, 'dates')).toContain('/d')
    expect(await found(docent, slug, 'cherries')).toContain('/c')
    expect(await found(docent, slug, 'bananas')).not.toContain('/b')
    expect(await found(docent, slug, 'apples')).not.toContain('/a')
  })

  test('picks up a moved page and one whose copy was deleted', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/a', '/copy', '/b']),
      '/a': page('Apples', text('apples')),
      '/copy': page('Apples', text('apples')),
      '/b': page('Bananas', text('bananas')),
    })
    const { slug } = await index(docent, `${site.url}/`)
    expect(await found(docent, slug, 'apples')).toEqual(['/a'])
    site.pages.delete('/a')
    site.pages.set('/', page('Start', text('starting'), ['/a', '/copy', '/moved/b', '/b']))
    site.pages.set('/moved/b', page('Bananas', text('bananas')))
    // Slow enough for the new address to be read first.
    site.pages.set('/b', (_, response) => {
      setTimeout(() => response.writeHead(301, { location: '/moved/b' }).end(), 300)
    })
    await refresh(docent, slug)
    expect(await found(docent, slug, 'apples')).toEqual(['/copy'])
    expect(await found(docent, slug, 'bananas')).toEqual(['/moved/b'])
  })

  test('keeps a page that fails once and drops it when it fails again', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/a']),
      '/a': page('Apples', text('apples')),
    })
    const { slug } = await index(docent, `${site.url}/`)
    site.pages.set('/a', (_, response) => response.writeHead(403).end())
    await refresh(docent, slug)
    expect(await found(docent, slug, 'apples')).toContain('/a')
    expect((await refresh(docent, slug)).sources[0]).toMatchObject({ pagesIndexed: 1, pagesFailed: 1 })
    expect(await found(docent, slug, 'apples')).not.toContain('/a')
  })

  test('keeps the previous version after a failed crawl and says why', async () => {
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/a']),
      '/a': page('Apples', text('apples')),
    })
    const { slug } = await index(docent, `${site.url}/`)
    site.pages.set('/', (_, response) => response.writeHead(500).end())
    const { status, sources } = await refresh(docent, slug)
    expect([status, sources[0].crawlStatus]).toEqual(['error', 'error'])
    expect(sources[0].crawlError).toMatch(/answered 500.*What was indexed before can still be searched\.$/)
    expect(await found(docent, slug, 'apples')).toContain('/a')
  })
})

describe('odd pages', () => {
  test('reads other pages beside ones of 20 MB, one line, no text, old encodings or changing content', async () => {
    let asked = 0
    await using site = await startSite({
      '/': page('Start', text('starting'), ['/huge', '/line', '/empty', '/latin1', '/sjis', '/moving']),
      '/huge': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${'word '.repeat(4_200_000)}`),
      '/line': page('Line', 'pebble '.repeat(60_000)),
      '/empty': '<html><head><title>Empty</title></head><body></body></html>',
      '/latin1': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
          .end(Buffer.from(page('Größe', 'Die Größe der Übung überrascht alle Äpfel.'), 'latin1')),
      '/sjis': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=shift_jis' })
          .end(
            Buffer.concat([
              Buffer.from('<title>T</title><main><h1>T</h1><p>'),
              Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
              Buffer.from(' katakana words follow here for certain.</p></main>'),
            ]),
          ),
      '/moving': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(page('Moving', `${text('motion')} ${asked++}`)),
    })
    await using docent = await startDocent()
    const { slug, detail } = await index(docent, `${site.url}/`)
    const reasons = Object.fromEntries(
      detail.sources[0].skipped.map(({ reason, pages }: { reason: string; pages: number }) => [reason, pages]),
    )
    expect(reasons).toEqual({ too_large: 1, no_text: 1 })
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 7, pagesIndexed: 5 })
    expect(new Set(await found(docent, slug, 'pebble'))).toEqual(new Set(['/line']))
    expect(await found(docent, slug, 'Übung')).toEqual(['/latin1'])
    expect(await found(docent, slug, '日本語')).toEqual(['/sjis'])
  })
})
