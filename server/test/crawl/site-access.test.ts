import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasSandbox } from '#net/browser/chromium.ts'
import { installedBrowser } from '../support/lib/installed-browser.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, type Site, page, startSite } from '../support/sites/site.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const program = installedBrowser()
const renders = program !== null && hasSandbox()

/** The forms of a credential, with the header that the site gets. */
const KINDS = [
  ['basic', { basic: { user: 'ada', password: 'canary-p4ssword' } }, 'authorization'],
  ['header', { header: { name: 'X-Docs-Key', value: 'canary-header-0123' } }, 'x-docs-key'],
  ['cookie', { cookie: 'theme=dark; session=canary-cookie-012345' }, 'cookie'],
] as const
const SENT: Readonly<Record<string, string>> = {
  authorization: `Basic ${btoa('ada:canary-p4ssword')}`,
  'x-docs-key': 'canary-header-0123',
  cookie: 'theme=dark; session=canary-cookie-012345',
}

type Locked = { site: Site; other: Site; lock: { header: string | null }; foreign: string[] }

/** A site that shows its pages to requests with a credential only, and another that must never get it. */
async function startLocked(): Promise<Locked> {
  const foreign: string[] = []
  const note = (request: IncomingMessage) => foreign.push(JSON.stringify([request.url, request.headers]))
  const lock: Locked['lock'] = { header: null }
  const other = await startSite({})
  for (const path of ['/', '/moved', '/asset.js', '/robots.txt', '/sitemap.xml', '/llms.txt', '/favicon.ico'])
    other.pages.set(path, (request, response) => {
      note(request)
      response.writeHead(200, { 'content-type': path === '/asset.js' ? 'text/javascript' : 'text/html' }).end('1')
    })
  const behind = (body: string | ((request: IncomingMessage) => string), type = 'text/html'): Page => {
    return (request, response) => {
      const { header } = lock
      if (header !== null && request.headers[header] !== SENT[header])
        return void response.writeHead(401, { 'www-authenticate': 'Basic realm="docs"' }).end('No entry')
      const text = typeof body === 'function' ? body(request) : body
      return void response.writeHead(200, { 'content-type': type }).end(text)
    }
  }
  const site = await startSite({})
  const html: Record<string, string> = {
    '/': page('Home', 'Welcome to the handbook of the gadgets.', ['/apples', '/away', '/app', `${other.url}/`]),
    '/apples': page('Apples', 'Apples are described at length, with their colours and their seasons.'),
    '/pears': page('Pears', 'Pears are listed in the sitemap only, with their colours and seasons.'),
    '/hidden': page('Hidden', 'Nobody should index the hidden page, as robots.txt says.'),
    '/app': `<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div>
<script src="${other.url}/asset.js"></script><script src="/app.js"></script></body></html>`,
  }
  for (const [path, text] of Object.entries(html)) site.pages.set(path, behind(text))
  // It repeats the credential, as pages about the signed-in user do.
  site.pages.set(
    '/echo',
    behind(({ headers }: IncomingMessage) => page('Echo', `The request had ${JSON.stringify(headers)} in it.`)),
  )
  site.pages.set(
    '/app.js',
    behind(
      "fetch('/data').then(async (answer) => { document.getElementById('root').innerHTML = '<main><h1>App</h1><p>' + await answer.text() + '</p></main>' })",
      'text/javascript',
    ),
  )
  site.pages.set('/data', behind('The quokka is rendered by a script that only members can read.', 'text/plain'))
  site.pages.set(
    '/robots.txt',
    behind(`User-agent: *\nDisallow: /hidden\nSitemap: ${site.url}/map.xml\n`, 'text/plain'),
  )
  const listed = ['/pears', '/echo', '/hidden'].map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')
  site.pages.set('/map.xml', behind(`<urlset>${listed}</urlset>`, 'application/xml'))
  site.pages.set('/away', (_, response) => void response.writeHead(302, { location: `${other.url}/moved` }).end())
  return { site, other, lock, foreign }
}

onSqliteAtLeast('site access', (engine) => {
  let docent: Docent
  let world: Locked
  let unique = 0
  let open: string[]
  beforeAll(async () => {
    world = await startLocked()
    docent = await startDocent({
      engine,
      environment: {
        DOCENT_RATE_LIMITS: 'off',
        DOCENT_SECRET_KEY: 'a-secret-key-that-is-only-used-in-tests',
        DOCENT_BROWSER: program ?? 'off',
      },
    })
  })
  afterAll(async () => {
    for (const part of [docent, world.site, world.other]) await part[Symbol.asyncDispose]()
  })

  /** A new account with its requests. */
  async function account() {
    const email = `access${(unique += 1)}@example.test`
    const key = await docent.makeKey(email)
    const as = (method: string, path: string, body?: unknown, with_ = key) =>
      docent.request(method, path, body, { key: with_ })
    return {
      as,
      email,
      save: (credential: object, origin = world.site.url) => as('PUT', '/api/site-access', { origin, ...credential }),
      make: async () => {
        const sources = [{ url: `${world.site.url}/`, type: 'docs' }]
        const { body } = await as('POST', '/api/mcp/create', { name: 'Handbook', sources })
        return body
      },
      read: async (slug: string) => {
        await expect.poll(async () => (await as('GET', `/api/mcp/${slug}`)).body.status).not.toBe('crawling')
        return (await as('GET', `/api/mcp/${slug}`)).body
      },
      pages: async (slug: string) => {
        const { body } = await as('GET', `/api/mcp/${slug}/pages?state=indexed`)
        return body.pages.map(({ url }: { url: string }) => new URL(url).pathname).toSorted()
      },
    }
  }

  /** What the site shows without a lock. */
  async function openPages(): Promise<string[]> {
    world.lock.header = null
    const { make, read, pages } = await account()
    const { slug } = await make()
    await read(slug)
    return pages(slug)
  }

  test.each(KINDS)(
    'reads a site with a %s like an open one, and sends it nowhere else',
    async (kind, secret, header) => {
      open ??= await openPages()
      expect(open).toEqual(['/', '/apples', ...(renders ? ['/app'] : []), '/echo', '/pears'].toSorted())
      world.lock.header = header
      const { save, make, read, pages, as } = await account()
      const saved = await save(secret)
      expect([saved.status, saved.body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^sit_/),
          origin: world.site.url,
          kind,
          createdAt: ISO,
          lastUsedAt: null,
          sources: [],
        },
      ])
      const { slug, visibility, accessToken } = await make()
      expect(visibility).toBe('private')
      expect(await read(slug)).toMatchObject({
        status: 'active',
        sources: [{ isPrivate: true, crawlStatus: 'complete' }],
      })
      expect(await pages(slug)).toEqual(open)
      // The other site was asked for: by a script of the page in the browser.
      if (renders) expect(world.foreign.filter((request) => request.includes('/asset.js'))).not.toEqual([])
      expect(world.foreign.filter((request) => /canary/.test(request) || request.includes(SENT[header] ?? ''))).toEqual(
        [],
      )
      const authorization = { authorization: `Bearer ${accessToken}` }
      const search = await docent.callTool(slug, 'search_docs', { query: 'request had headers echo' }, authorization)
      const found = resultsIn(search.result)
        .map(({ text }: { text: string }) => text)
        .join('\n')
      expect(found).toContain('The request had')
      expect(found).not.toMatch(/canary/)
      const listed = await as('GET', '/api/site-access')
      expect(listed.body.siteAccess).toMatchObject([{ lastUsedAt: ISO, sources: [{ slug, usesAccess: true }] }])
      expect(listed.text).not.toMatch(/canary|sealed/)
      const stored = await docent.inStore(async ({ read: db }) => [
        await db.selectFrom('siteAccess').selectAll().execute(),
        await db.selectFrom('texts').selectAll().execute(),
        await db.selectFrom('pages').selectAll().execute(),
      ])
      expect(JSON.stringify(stored)).not.toMatch(/canary/)
    },
  )

  test('never reads a public server with it, and lists the source that must be added again', async () => {
    world.lock.header = 'x-docs-key'
    const { save, make, read, pages, as } = await account()
    const { slug } = await make()
    const refused = await read(slug)
    expect(refused.sources[0].crawlError).toMatch(/401: the page is not open to everybody\. .*save site access/)
    const saved = await save(KINDS[1][1])
    expect(saved.body.sources).toMatchObject([{ slug, url: `${world.site.url}/`, usesAccess: false }])
    await as('POST', `/api/mcp/${slug}/crawl`)
    expect((await read(slug)).status).toBe('error')
    const [{ id }] = refused.sources
    await as('DELETE', `/api/mcp/${slug}/sources`, { sourceId: id })
    const added = await as('POST', `/api/mcp/${slug}/sources`, { url: `${world.site.url}/`, type: 'docs' })
    expect(added.body).toMatchObject({
      isPrivate: true,
      visibility: 'private',
      issuedToken: { plaintext: expect.any(String) },
    })
    expect((await read(slug)).status).toBe('active')
    expect(await pages(slug)).toContain('/pears')
    expect((await as('PATCH', `/api/mcp/${slug}/visibility`, { visibility: 'public' })).body.error).toBe(
      'private_source_present',
    )
  })

  test('deletes what was read with it when it is removed', async () => {
    world.lock.header = 'x-docs-key'
    const { save, make, read, as } = await account()
    const { body: access } = await save(KINDS[1][1])
    const { slug, serverId } = await make()
    expect((await read(slug)).sources[0].pagesIndexed).toBeGreaterThan(3)
    const other = await account()
    expect((await other.as('DELETE', `/api/site-access/${access.id}`)).status).toBe(404)
    expect((await as('DELETE', `/api/site-access/${access.id}`)).body).toEqual({ ok: true, sources: 1 })
    expect((await read(slug)).sources[0]).toMatchObject({ crawlStatus: 'error', isPrivate: false, pagesIndexed: 0 })
    const left = await docent.inStore(({ read: db }) =>
      db
        .selectFrom('texts')
        .innerJoin('sources', 'sources.id', 'texts.sourceId')
        .select('hash')
        .where('serverId', '=', serverId)
        .execute(),
    )
    expect(left).toEqual([])
    expect((await as('GET', '/api/site-access')).body).toEqual({ siteAccess: [] })
    expect((await as('DELETE', `/api/site-access/${access.id}`)).status).toBe(404)
  })

  test('replaces a credential under the same id, and reads its sources again', async () => {
    world.lock.header = 'x-docs-key'
    const { save, make, read } = await account()
    const { body: first } = await save(KINDS[1][1])
    const { slug } = await make()
    await read(slug)
    world.lock.header = 'cookie'
    const { body: second } = await save(KINDS[2][1])
    expect(second).toMatchObject({
      id: first.id,
      kind: 'cookie',
      createdAt: first.createdAt,
      sources: [{ usesAccess: true }],
    })
    expect((await read(slug)).sources[0]).toMatchObject({ crawlStatus: 'complete' })
  })

  test('keeps keys for single servers and other accounts away from it', async () => {
    world.lock.header = 'x-docs-key'
    const owner = await account()
    await owner.save(KINDS[1][1])
    const { serverId } = await owner.make()
    const scoped = await docent.makeKey(owner.email, [serverId])
    const path = `/api/mcp/${serverId}/sources`
    const added = await owner.as('POST', path, { url: `${world.site.url}/apples`, type: 'docs' }, scoped)
    expect(added.body).toMatchObject({ isPrivate: false })
    expect((await owner.as('GET', '/api/site-access', undefined, scoped)).body.error).toBe('key_scoped')
    const stranger = await account()
    const { slug, visibility } = await stranger.make()
    expect([visibility, (await stranger.read(slug)).status]).toEqual(['public', 'error'])
  })

  test('tries a credential before it is saved, and says what the site answered', async () => {
    world.lock.header = 'authorization'
    const { save, as } = await account()
    const problem = async (credential: object, origin?: string) => {
      const { status, body } = await save(credential, origin)
      return [status, body.error, body.message]
    }
    expect(await problem({ basic: { user: 'ada', password: 'wrong' } })).toEqual([
      422,
      'credential_rejected',
      'The site answered 401 to a request with this credential. It asks for Basic authentication. The credential has not been saved.',
    ])
    expect(await problem(KINDS[0][1], `${world.site.url}/away`)).toEqual([
      422,
      'credential_rejected',
      expect.stringMatching(/^The site leads to .*, to which the credential is not sent\. .* copy the Cookie header/),
    ])
    world.site.pages.set('/inside', (_, response) => void response.writeHead(302, { location: '/login?next=1' }).end())
    world.site.pages.set('/login', page('Sign in', 'Give your name and your password to enter the handbook.'))
    expect((await problem(KINDS[2][1], `${world.site.url}/inside`))[2]).toMatch(
      /sign-in page .*\/login, and forms are not filled in\. Sign in with a browser, copy the Cookie header/,
    )
    expect(await problem(KINDS[0][1], 'http://127.0.0.1:19151/')).toEqual([422, 'host_unavailable', expect.any(String)])
    expect(world.foreign.filter((request) => /canary/.test(request))).toEqual([])
    expect((await as('GET', '/api/site-access')).body).toEqual({ siteAccess: [] })
    const invalid = async (body: object) => (await save(body)).status
    expect(await invalid({})).toBe(400)
    expect(await invalid({ cookie: 'a=1', basic: { user: 'a', password: 'b' } })).toBe(400)
    for (const name of ['Host', 'cookie', 'User-Agent', 'If-None-Match', 'a b']) {
      expect(await invalid({ header: { name, value: 'x' } })).toBe(400)
    }
    expect(await invalid({ cookie: 'a=1\r\nhost: x' })).toBe(400)
  })
})
