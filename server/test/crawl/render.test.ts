import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { hasSandbox } from '#net/browser/chromium.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { installedBrowser } from '../support/lib/installed-browser.ts'
import { page, startSite, type Page } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const program = installedBrowser()
const shell = (script: string) =>
  `<!doctype html><html lang="en"><head><title>App</title><link rel="stylesheet" href="/app.css"></head><body>
<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><img src="/logo.png">
<script src="/${script}"></script></body></html>`
const sends =
  (type: string, body: string): Page =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, 'set-cookie': 'a=1' }).end(body)

/** A single-page application of two pages, each read from a JSON endpoint. */
const APP = `
import('/routes.js').then(async ({ routes }) => {
  const article = await (await fetch('/api' + location.pathname, { headers: { 'x-app': '1' } })).json()
  const root = document.getElementById('root')
  root.innerHTML = '<nav>' + routes.map((to) => '<a href="' + to + '">' + to + '</a>').join(' ') + '</nav>'
  await new Promise((done) => setTimeout(done, 50))
  document.title = article.title
  const main = document.createElement('main')
  main.innerHTML = '<h1>' + article.title + '</h1><p>' + article.text + '</p>'
  root.append(main)
  document.cookie = 'seen=1'
  localStorage.seen = (localStorage.seen ?? '') + location.pathname
  main.append(localStorage.seen)
})`
const APP_PAGES: Record<string, Page> = {
  '/': shell('app.js'),
  '/marsupials': shell('app.js'),
  '/app.js': sends('text/javascript', APP),
  '/routes.js': sends('text/javascript', 'export const routes = ["/", "/marsupials"]'),
  '/api/': sends('application/json', '{"title":"Start","text":"Where everything about the quokka starts."}'),
  '/api/marsupials': sends(
    'application/json',
    '{"title":"Marsupials","text":"The wombat digs burrows of thirty metres with its claws."}',
  ),
}

async function index(docent: Docent, url: string) {
  const { slug, detail } = await docent.createServer({ name: 'Site', sources: [{ url, type: 'docs' }] })
  return { slug: slug as string, detail }
}

/** A site with routes in the fragment, as older applications have. */
const HASH_APP = `
const articles = {
  '/': ['Start', 'Where everything about the quokka starts.'],
  '/marsupials': ['Marsupials', 'The wombat digs burrows of thirty metres.'],
  '/birds': ['Birds', 'The kookaburra laughs at dawn.'],
}
const show = () => {
  const [title, text] = articles[location.hash.slice(1) || '/']
  const nav = Object.keys(articles).map((to) => '<a href="#' + to + '">' + to + '</a>').join(' ')
  document.getElementById('root').innerHTML =
    '<nav>' + nav + '</nav><main><h1 id="top">' + title + '</h1><p>' + text + ' <a href="#top">Up</a></p></main>'
}
addEventListener('hashchange', show)
show()`

/** A Docsify site: Markdown files and a page that renders them. */
const DOCSIFY: Record<string, Page> = {
  '/book/': `<!doctype html><html><head><title>Book</title></head><body><div id="app">Loading...</div>
<script>window.$docsify = { name: 'Book', loadSidebar: true }</script><script src="/docsify.js"></script></body></html>`,
  '/book/README.md': '# The book\n\nThe book begins with [the first chapter](chapters/first.md).',
  '/book/_sidebar.md': '- [First](chapters/first.md)\n- [Second](/chapters/second)\n- [Gone](gone.md)',
  '/book/chapters/first.md': '# First\n\n## Emus\n\nThe emu runs fast.\n\n[Next](chapters/second.md#emus)',
  '/book/chapters/second.md': '# Second\n\nThe cassowary kicks with both of its legs when it is cornered by somebody.',
}

// Many containers run tests as root, where rendering is off unless it is allowed.
const ALLOWED = { DOCENT_BROWSER_WITHOUT_SANDBOX: 'on' }
const withBrowser = (more = {}) => ({ environment: { DOCENT_BROWSER: program ?? '', ...ALLOWED, ...more } })

const AS_ROOT = 'which the service does not run as root. Run it as another user, or set DOCENT_BROWSER_'

test.each<[string, Record<string, string>, string]>([
  ['it is off', { DOCENT_BROWSER: 'off' }, 'which the service does not run: DOCENT_BROWSER is off.'],
  [
    'none is installed',
    { DOCENT_BROWSER: '', PATH: '/nowhere' },
    'and no browser is installed to run it. Install Chromium, or set',
  ],
  ...(program === null || hasSandbox()
    ? []
    : [
        ['root may not start it', { DOCENT_BROWSER: program }, AS_ROOT] satisfies [
          string,
          Record<string, string>,
          string,
        ],
      ]),
])('says why a page was not rendered: %s', async (_, environment, why) => {
  await using site = await startSite(APP_PAGES)
  await using docent = await startDocent({ environment })
  const { slug } = await index(docent, `${site.url}/`)
  const { body } = await docent.request('GET', `/api/mcp/${slug}/pages?state=skipped`)
  expect(body.pages[0].detail).toContain(`The page has no text without JavaScript, ${why}`)
})

// Starting a browser takes seconds on a busy machine.
describe.skipIf(program === null)('rendering with a browser', () => {
  /** Starting a browser takes longer than most tests. */
  let used: Docent
  beforeAll(async () => {
    used = await startDocent(withBrowser())
    return () => used[Symbol.asyncDispose]()
  })

  onSqliteAtLeast('site that needs JavaScript', (engine) => {
    test('renders, crawls and finds a site, and leaves it alone while its text is unchanged', async () => {
      await using site = await startSite(APP_PAGES)
      await using own = engine === 'sqlite' ? null : await startDocent({ engine, ...withBrowser() })
      const docent = own ?? used
      const { slug, detail } = await index(docent, `${site.url}/`)
      expect(detail.sources[0]).toMatchObject({ pagesIndexed: 2, pagesSkipped: 0, pagesFailed: 0 })
      const { result } = await docent.callTool(slug, 'search_docs', { query: 'wombat burrows' })
      expect(resultsIn(result)[0]).toMatchObject({ url: `${site.url}/marsupials`, title: 'Marsupials' })
      const [text] = result.content
      expect(text.text).toContain('thirty metres')
      expect(text.text).not.toContain('enable JavaScript')
      // One page's storage is not visible to the next.
      expect(text.text).not.toContain('//marsupials')

      const asked = site.requests.map(({ path }) => path)
      expect(asked.filter((path) => /css|png/.test(path))).toEqual([])
      // Scripts are fetched once for all pages.
      expect(asked.filter((path) => path === '/app.js')).toHaveLength(1)

      site.pages.set('/api/marsupials', sends('application/json', '{"title":"Marsupials","text":"The numbat too."}'))
      await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
      await docent.untilDone(slug)
      const again = await docent.callTool(slug, 'search_docs', { query: 'numbat' })
      expect(resultsIn(again.result)[0]).toMatchObject({ url: `${site.url}/marsupials` })
    })
  })

  test('indexes each fragment route as a page', async () => {
    const html = shell('app.js')
    await using site = await startSite({ '/app/': html, '/app.js': sends('text/javascript', HASH_APP) })
    const { slug, detail } = await index(used, `${site.url}/app/`)
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 3, pagesIndexed: 3 })
    const found = async (query: string) => {
      const { result } = await used.callTool(slug, 'search_docs', { query })
      return resultsIn(result)[0]
    }
    expect(await found('wombat burrows')).toMatchObject({ url: `${site.url}/app/#/marsupials`, title: 'Marsupials' })
    expect(await found('kookaburra')).toMatchObject({ url: `${site.url}/app/#/birds`, title: 'Birds' })
    expect(await found('quokka')).toMatchObject({ title: 'Start' })
    await used.request('POST', '/api/mcp/crawl', { serverId: slug })
    expect((await used.untilDone(slug)).sources[0]).toMatchObject({ pagesDiscovered: 3, pagesIndexed: 3 })
  })

  test('reports each failed page with a sentence and reads the rest', async () => {
    // They take eight and three seconds of processor time.
    const slow = inject('isLong') ? ['/endless', '/flood'] : []
    const bad = [...slow, '/gone', '/empty', '/huge']
    await using site = await startSite({
      ...APP_PAGES,
      '/': page('Start', 'A page that needs no browser, with a sentence or two of text.', [
        ...bad,
        '/moves',
        '/marsupials',
      ]),
      '/api/': sends('application/json', '{"title":"Start","text":"nothing"}'),
      '/endless': shell('endless.js'),
      '/endless.js': sends('text/javascript', 'for (;;) {}'),
      '/gone': shell('none.js'),
      '/empty': shell('empty.js'),
      '/empty.js': sends('text/javascript', 'alert(1); console.log(confirm("?"))'),
      '/huge': shell('huge.js'),
      '/huge.js': sends('text/javascript', 'document.body.innerHTML = "<p hidden>" + "x".repeat(5e6)'),
      '/flood': shell('flood.js'),
      '/flood.js': sends(
        'text/javascript',
        'for (let i = 0; i < 60; i++) fetch("/api/", {method:"POST",body:"x".repeat(1e6)})',
      ),
      '/moves': shell('moves.js'),
      '/moves.js': sends('text/javascript', 'location.replace("/marsupials")'),
    })
    const { slug, detail } = await index(used, `${site.url}/`)
    const { body } = await used.request('GET', `/api/mcp/${slug}`)
    expect(detail.sources[0]).toMatchObject({ pagesIndexed: 2 })
    expect(body.sources[0].skipped).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'needs_javascript', pages: bad.length }),
        expect.objectContaining({ reason: 'redirect', pages: 1 }),
      ]),
    )
    const details = await used.inStore(({ read }) =>
      read.selectFrom('pages').select(['url', 'detail']).where('reason', '=', 'needs_javascript').execute(),
    )
    const why = Object.fromEntries(details.map(({ url, detail: said }) => [new URL(url).pathname, said]))
    expect(why).toEqual({
      '/gone': expect.stringContaining('even after its JavaScript was run'),
      '/empty': expect.stringContaining('even after its JavaScript was run'),
      '/huge': expect.stringContaining('MB of HTML'),
      ...(inject('isLong') && {
        '/endless': expect.stringContaining('without a pause'),
        // On a slow machine the deadline comes first.
        '/flood': expect.stringMatching(/more than is read|without a pause|too much memory/),
      }),
    })
  })

  test('does not open a page that robots.txt forbids', async () => {
    await using site = await startSite({ ...APP_PAGES, '/robots.txt': 'User-agent: *\nDisallow: /marsupials' })
    const { detail } = await index(used, `${site.url}/`)
    expect(detail.sources[0]).toMatchObject({ pagesIndexed: 1, skipped: [{ reason: 'robots', pages: 1 }] })
    expect(site.requests.map(({ path }) => path)).not.toContain('/api/marsupials')
  })

  test('shows in the account’s features that pages are rendered', async () => {
    const { body } = await used.request('GET', '/api/account/entitlements')
    expect(body.features.javascriptRendering).toBe(true)
  })
})

test('refuses to start with a browser that cannot be run', async () => {
  await expect(startDocent({ environment: { DOCENT_BROWSER: '/nowhere/chromium' } })).rejects.toThrow(
    'DOCENT_BROWSER names no program that can be run: /nowhere/chromium.',
  )
})

test('skips the page and says so when the browser does not start', async () => {
  await using site = await startSite({
    '/': page('Start', 'A page with a sentence of text.', ['/app']),
    '/app': shell('app.js'),
  })
  await using docent = await startDocent({ environment: { DOCENT_BROWSER: '/bin/true', ...ALLOWED } })
  const { detail } = await index(docent, `${site.url}/`)
  expect(detail.sources[0].skipped).toMatchObject([
    { reason: 'needs_javascript', example: expect.stringContaining('could not be started') },
  ])
})

test.skipIf(hasSandbox())('starts no browser as root unless the setting allows it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
  try {
    const browser = join(folder, 'browser')
    writeFileSync(browser, `#!/bin/sh\necho started >> ${folder}/starts\nexit 1\n`, { mode: 0o755 })
    await using site = await startSite({
      '/': page('Start', 'A page with a sentence of text.', ['/app']),
      '/app': shell('app.js'),
    })
    const rendered = async (environment: Record<string, string>) => {
      await using docent = await startDocent({ environment: { DOCENT_BROWSER: browser, ...environment } })
      const { detail } = await index(docent, `${site.url}/`)
      expect(detail.sources[0].skipped).toMatchObject([{ reason: 'needs_javascript', pages: 1 }])
      const { body } = await docent.request('GET', '/api/account/entitlements')
      return [body.features.javascriptRendering, existsSync(join(folder, 'starts'))]
    }
    expect(await rendered({})).toEqual([false, false])
    expect(await rendered({ DOCENT_BROWSER_WITHOUT_SANDBOX: 'off' })).toEqual([false, false])
    expect(await rendered(ALLOWED)).toEqual([true, true])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

onSqliteAtLeast('Docsify site', (engine) => {
  test('reads a Docsify site from the Markdown files behind its routes, without a browser', async () => {
    await using site = await startSite(DOCSIFY)
    await using docent = await startDocent({ engine, environment: { DOCENT_BROWSER: 'off' } })
    const { slug, detail } = await index(docent, `${site.url}/book/`)
    expect(detail.sources[0]).toMatchObject({ pagesDiscovered: 4, pagesIndexed: 3, pagesFailed: 1 })
    const { body } = await docent.request('GET', `/api/mcp/${slug}/pages?state=failed`)
    expect(body.pages).toMatchObject([{ url: `${site.url}/book/#/gone`, reason: 'not_found' }])
    const found = async (query: string) => {
      const { result } = await docent.callTool(slug, 'search_docs', { query })
      return resultsIn(result)[0]
    }
    expect(await found('how fast runs the emu')).toMatchObject({
      url: `${site.url}/book/#/chapters/first?id=emus`,
      title: 'First',
    })
    expect(await found('cassowary')).toMatchObject({ title: 'Second' })
    expect(await found('the book begins')).toMatchObject({ url: `${site.url}/book/` })
    const page = { url: `${site.url}/book/#/chapters/second` }
    await docent.request('PATCH', `/api/mcp/${slug}/tools`, { add: ['summarize_content'] })
    expect(JSON.stringify(await docent.callTool(slug, 'summarize_content', page))).toContain('cassowary')

    site.pages.set('/book/chapters/second.md', '# Second\n\nThe lyrebird imitates.')
    site.requests.length = 0
    await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
    await docent.untilDone(slug)
    expect(await found('lyrebird')).toMatchObject({ title: 'Second' })
    expect(site.requests.find(({ path }) => path === '/book/chapters/first.md')).toMatchObject({ status: 304 })
  })
})

test('tries a browser that lacks a sandbox only once and explains the fix in the page report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
  try {
    const browser = join(folder, 'browser')
    const script = `#!/bin/sh\necho "$@" >> ${folder}/starts\necho "No usable sandbox! Or use --no-sandbox" >&2\nexit 1\n`
    writeFileSync(browser, script, { mode: 0o755 })
    await using site = await startSite({
      '/': page('Start', 'A page with a sentence of text.', ['/app', '/more']),
      '/app': shell('app.js'),
      '/more': shell('app.js'),
    })
    await using docent = await startDocent({ environment: { DOCENT_BROWSER: browser, ...ALLOWED } })
    const { slug, detail } = await index(docent, `${site.url}/`)
    expect(detail.sources[0].skipped).toMatchObject([{ reason: 'needs_javascript', pages: 2 }])
    const { body } = await docent.request('GET', `/api/mcp/${slug}/pages?reason=needs_javascript`)
    for (const { detail: said } of body.pages)
      expect(said).toMatch(/no sandbox here, because .* no user namespaces.*documentation of the settings/)
    // The service must never retry a refused sandbox without one.
    const starts = readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n')
    expect(starts).toHaveLength(1)
    expect(starts[0]?.includes('--no-sandbox')).toBe(!hasSandbox())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
