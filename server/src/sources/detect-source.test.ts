import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetClient } from '#net/client.ts'
import { createRobotsCache } from '#net/robots.ts'
import { PagePool, parseRobotsInChild } from '#readers/page-pool.ts'
import { createTestNet, keepOpen } from '../../test/support/lib/keep-open.ts'
import { fakeMcp } from '../../test/support/mcp/mcp-fakes.ts'
import { startRemoteMcp } from '../../test/support/sites/remote-mcp.ts'
import { serveMcp } from '../../test/support/mcp/serve-mcp.ts'
import { type Page, page, startSite } from '../../test/support/sites/site.ts'
import { detectSource } from './detect-source.ts'

const pool = new PagePool({ workers: 1 })
const net = await keepOpen(createTestNet({ firstByteMs: 500 }))
const site = await keepOpen(startSite({}))
beforeEach(() => {
  site.pages.clear()
  site.requests.length = 0
})
afterAll(async () => {
  await pool[Symbol.asyncDispose]()
})

const detect = (url: string, guess: Parameters<typeof detectSource>[2] = 'website') => {
  const robots = createRobotsCache({ net, userAgent: 'DocentTest/1', parse: parseRobotsInChild(pool) })
  return detectSource({ net, pages: pool.share(), robots, version: '1' }, new URL(url), guess)
}

const sends =
  (type: string, body: string, status = 200): Page =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body)

describe('detection of a site by its page lists', () => {
  const links = (count: number) => Array.from({ length: count }, (_, at) => `- [Page ${at}](/p${at})`).join('\n')
  const urls = (count: number) =>
    `<urlset>${Array.from({ length: count }, (_, at) => `<url><loc>${site.url}/p${at}</loc></url>`).join('')}</urlset>`
  const generator = '<meta name="generator" content="VitePress v1.6.4">'

  test.each<[string, () => Record<string, Page>, string, string]>([
    ['none', () => ({}), 'website', 'Website: no list of its pages, so that its links are followed.'],
    ['a sitemap', () => ({ '/sitemap.xml': urls(1) }), 'website', 'Website: sitemap with 1 page.'],
    [
      'both',
      () => ({ '/llms.txt': `# Docs\n${links(214)}`, '/sitemap.xml': urls(1_403) }),
      'docs',
      'Documentation: llms.txt with 214 pages, sitemap with 1,403.',
    ],
    [
      'a sitemap of sitemaps that robots.txt names',
      () => ({
        '/robots.txt': `Sitemap: ${site.url}/all.xml`,
        '/all.xml':
          '<sitemapindex><sitemap><loc>/a.xml</loc></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>',
      }),
      'website',
      'Website: a sitemap that leads to 2 further sitemaps.',
    ],
    [
      'a generator',
      () => ({ '/': page('Home', 'Text.').replace('<head>', `<head>${generator}`) }),
      'docs',
      'Documentation made with VitePress v1.6.4: no list of its pages, so that its links are followed.',
    ],
    [
      'an error page in place of lists',
      () => ({ '/llms.txt': sends('text/html', '[Not](/found)'), '/sitemap.xml': sends('text/html', '<p>No') }),
      'website',
      'Website: no list of its pages, so that its links are followed.',
    ],
  ])('describes a site by its lists: %s', async (_, pages, type, reason) => {
    for (const [path, body] of Object.entries({ '/': page('Home &amp; away', 'Text.'), ...pages() })) {
      site.pages.set(path, body)
    }
    expect(await detect(`${site.url}/`)).toMatchObject({ type, reason, reachable: true, problem: null })
  })

  test('counts only the listed pages below the given path', async () => {
    const listed = ['/', '/guide', '/guide/a', '/guide/b', '/guidebook', '/blog/c']
    const entries = listed.map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')
    site.pages.set('/sitemap.xml', `<urlset>${entries}</urlset>`)
    site.pages.set('/llms.txt', '# Docs\n- [A](/guide/a)\n- [C](/blog/c)\n- [Away](https://elsewhere.example/guide/x)')
    for (const path of ['/', '/guide', '/api']) site.pages.set(path, page('Home', 'Text.'))
    const reasonOf = async (path: string) => (await detect(site.url + path)).reason
    expect(await reasonOf('/guide')).toBe('Documentation: llms.txt with 1 page, sitemap with 3.')
    expect(await reasonOf('/')).toBe('Documentation: llms.txt with 2 pages, sitemap with 6.')
    expect(await reasonOf('/api')).toBe('Website: no list of its pages, so that its links are followed.')
  })

  test('returns the title of a site, and whether robots.txt allows crawling', async () => {
    site.pages.set('/', page('Home &amp; away', 'Text.'))
    site.pages.set('/robots.txt', sends('text/plain', 'User-agent: *\nDisallow: /'))
    expect(await detect(`${site.url}/`)).toMatchObject({
      label: 'Home & away',
      problem: "The site's robots.txt asks crawlers to stay away from this address.",
    })
    site.pages.set('/robots.txt', sends('text/plain', 'busy', 503))
    expect(await detect(`${site.url}/`)).toMatchObject({ problem: expect.stringContaining('cannot be read') })
  })
})

describe('detection by content', () => {
  test.each<[string, string, string, string, string | null]>([
    ['application/pdf', 'x', 'pdf', 'PDF: the answer says that it is one.', null],
    ['application/octet-stream', '\n%PDF-1.7', 'pdf', 'PDF: its first bytes say so.', null],
    ['application/json', '{"swagger":"2.0","info":{"title":"Pets"}}', 'api', 'API: its content is Swagger.', 'Pets'],
    ['text/plain', "asyncapi: '3.0.0'\ninfo:\n  title: 'Events'\n", 'api', 'API: its content is AsyncAPI.', 'Events'],
    ['application/json', '{"info":{"_postman_id":"1"},"item":[]}', 'api', 'API: its content is Postman.', null],
    ['text/plain', '"""Pets"""\ntype Query {\n  pet: Int\n}', 'api', 'API: its content is GraphQL.', null],
    ['application/json', '{"data":{"__schema":{}}}', 'api', 'API: its content is GraphQL.', null],
  ])('recognizes %s with the content %j', async (contentType, body, type, reason, label) => {
    site.pages.set('/it', sends(contentType, body))
    expect(await detect(`${site.url}/it`)).toEqual({ type, reason, label, reachable: true, problem: null })
    expect(site.requests.map(({ path }) => path)).toEqual(['/it'])
  })

  test('treats an HTML page about such formats as a website', async () => {
    site.pages.set('/', sends('text/html', '<title>openapi: 3.1.0</title>\nopenapi: 3.1.0\ntype Query {'))
    expect(await detect(`${site.url}/`)).toMatchObject({ type: 'website', label: 'openapi: 3.1.0' })
    site.pages.set('/paper.pdf', page('Gone', 'The paper has moved.'))
    expect(await detect(`${site.url}/paper.pdf`, 'pdf')).toMatchObject({ type: 'website' })
  })

  test('recognizes a GraphQL endpoint by its refusal', async () => {
    site.pages.set('/graphql', sends('application/json', '{"errors":[]}', 400))
    expect(await detect(`${site.url}/graphql`)).toMatchObject({ type: 'api', reachable: true })
  })
})

describe('detection of an MCP server', () => {
  test('recognizes servers of both protocol eras by a probe', async () => {
    await using legacy = await startRemoteMcp()
    expect(await detect(legacy.url)).toEqual({
      type: 'mcp',
      label: 'Remote gadgets',
      reachable: true,
      problem: null,
      reason: 'MCP server: it answers as one, with 2 tools.',
    })
    await using modern = await serveMcp(fakeMcp().handle)
    expect(await detect(modern.url)).toMatchObject({ type: 'mcp', label: 'Widget handbook' })
  })

  test('recognizes a server that requires a credential by its URL', async () => {
    await using remote = await startRemoteMcp()
    remote.lock = { header: 'x-api-key', value: 'x' }
    expect(await detect(remote.url)).toMatchObject({ type: 'mcp', reachable: true, label: null })
  })

  test('does not recognize a website that refuses every request as an MCP server', async () => {
    site.pages.set('/members', sends('text/html', 'Please log in', 401))
    expect(await detect(`${site.url}/members`)).toMatchObject({
      type: 'website',
      reachable: false,
      problem: 'The address answered 401.',
    })
  })
})

test('recognizes a repository by its host with a single request', async () => {
  const asked: string[] = []
  const fetch: NetClient['fetch'] = async (url) => {
    asked.push(url)
    const bytes = Buffer.from('<title>acme/gadgets: Gadgets</title>')
    return { url, status: 200, headers: { 'content-type': 'text/html' }, bytes }
  }
  const deps = {
    net: { fetch },
    pages: pool.share(),
    robots: createRobotsCache({ net, userAgent: 'x', parse: parseRobotsInChild(pool) }),
    version: '1',
  }
  expect(await detectSource(deps, new URL('https://code.example.test/acme/gadgets'), 'repo')).toMatchObject({
    type: 'repo',
    label: 'acme/gadgets: Gadgets',
    reason: 'Repository at code.example.test.',
  })
  expect(asked).toHaveLength(1)
})

test.each<[string, Page, object]>([
  ['silence', () => {}, { reachable: false, problem: expect.stringContaining('did not') }],
  [
    'too much',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' })
      const more = () => void response.write(Buffer.alloc(1 << 20), more)
      more()
    },
    { reachable: true, problem: null },
  ],
])('keeps the guess on %s', async (_, answer, expected) => {
  site.pages.set('/it', answer)
  expect(await detect(`${site.url}/it`, 'pdf')).toMatchObject({ type: 'pdf', ...expected })
})
