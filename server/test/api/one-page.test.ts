import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const link = (path: string, text: string) => `<p>Read about <a href="${path}">${text}</a> first.</p>`

onSqliteAtLeast('one page of a site', (engine) => {
  let site: Site
  let docent: Docent
  let server: any

  beforeAll(async () => {
    site = await startSite({
      '/': page('Übersicht Café', 'Welcome to the manual of machines.', ['/gears', '/belts', '/oil', '/gone']),
      '/gears': page('Gears', 'Gears have teeth.'),
      '/belts': page('Belts', `Belts run over wheels.</p>${link('/oil', 'thin oil')}<p>Check them twice a year.`),
      '/oil': page('Oil', `Oil each wheel twice a year.</p>${link('/gone', 'old grease')}<p>Use three drops.`),
      '/new': page('New', 'A page that was added later, about springs.'),
    })
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    server = (await docent.createServer({ name: 'Machines', sources: [{ url: `${site.url}/` }] })).detail
  })
  afterAll(() => disposeAll(docent, site))

  const list = async (query = '') => (await docent.request('GET', `/api/mcp/${server.slug}/pages?${query}`)).body
  const paths = async (query: string) => (await list(query)).pages.map(({ url }: any) => url.slice(site.url.length))
  const change = (what: string, path: string) =>
    docent.request('POST', `/api/mcp/${server.slug}/sources/${server.sources[0].id}/pages/${what}`, {
      url: site.url + path,
    })
  const read = () => site.requests.map(({ path }) => path).filter((path) => !/robots|sitemap|llms/.test(path))

  test('finds pages by words of the title and the address, in any case, with or without accents', async () => {
    for (const word of ['ÜBER', 'ubersicht', 'CAFÉ', 'cafe', 'Cafe\u0301'])
      expect([word, await paths(new URLSearchParams({ search: word }).toString())]).toEqual([word, ['/']])
    expect(await paths('search=GEAR')).toEqual(['/gears'])
    expect(await paths('search=e+L')).toEqual(['/belts'])
    expect(await paths('search=100%25')).toEqual([])
    expect(await paths('search=_')).toEqual([])
    expect((await list('search=zebra')).total).toBe(0)
    expect((await list('search=')).total).toBe(5)
  })

  test('sorts pages by their last visit and by their passages', async () => {
    const at = (await list('sort=newest')).pages.map(({ settledAt }: any) => Date.parse(settledAt))
    expect(at).toEqual(at.toSorted((a: number, b: number) => b - a))
    const passages = (await list('sort=passages')).pages.map(({ chunks }: any) => chunks)
    expect(passages).toEqual(passages.toSorted((a: number, b: number) => b - a))
    expect((await docent.request('GET', `/api/mcp/${server.slug}/pages?sort=luck`)).status).toBe(400)
  })

  test('lists the pages that link to a page, also to one that is missing', async () => {
    const linksTo = async (path: string) => {
      const query = new URLSearchParams({ url: site.url + path })
      return (
        await docent.request('GET', `/api/mcp/${server.slug}/sources/${server.sources[0].id}/pages/links?${query}`)
      ).body
    }
    expect(await linksTo('/oil')).toMatchObject({
      links: expect.arrayContaining([{ url: `${site.url}/belts`, title: 'Belts', text: 'thin oil' }]),
    })
    const gone = await linksTo('/gone')
    expect(gone.links).toContainEqual({ url: `${site.url}/oil`, title: 'Oil', text: 'old grease' })
    expect(gone.total).toBe(gone.links.length)
    expect(await linksTo('/nowhere')).toEqual({ links: [], total: 0, navigation: [] })
  })

  test('reads one page again, with the pages that it links to for the first time', async () => {
    site.pages.set('/gears', page('Gears', 'Gears have teeth, and a new one has forty.', ['/new']))
    const before = read().length
    expect((await change('read', '/gears')).body).toEqual({ ok: true })
    await docent.untilDone(server.slug)
    const again = read().slice(before)
    expect(again).toContain('/gears')
    expect(again).toContain('/new')
    expect(again).not.toContain('/belts')
    expect(again).not.toContain('/oil')
    const { result } = await docent.callTool(server.slug, 'search_docs', { query: 'how many teeth has a new gear' })
    expect(JSON.stringify(result)).toContain('forty')
    const { sources } = await docent.untilDone(server.slug)
    expect(sources[0]).toMatchObject({ crawlStatus: 'complete', pagesDiscovered: 6, pagesIndexed: 5, pagesFailed: 1 })
  })

  test('leaves one page out without reading another', async () => {
    const before = read().length
    expect((await change('leave-out', '/belts')).body).toEqual({ ok: true, pattern: '/belts$' })
    const { sources } = await docent.untilDone(server.slug)
    expect(sources[0]).toMatchObject({ crawlStatus: 'complete', exclude: ['/belts$'], pagesIndexed: 4 })
    expect(new Set(read().slice(before))).not.toContain('/belts')
    expect(new Set(read().slice(before))).not.toContain('/oil')
    expect((await list('search=belts')).pages).toMatchObject([{ state: 'skipped', reason: 'out_of_scope' }])
    const { result } = await docent.callTool(server.slug, 'search_docs', { query: 'belts run over wheels' })
    expect(JSON.stringify(result)).not.toContain('/belts')
  })

  test.each([
    ['read', '/nowhere', 404, 'Page not found'],
    ['leave-out', '/nowhere', 404, 'Page not found'],
    ['leave-out', '/', 409, 'page_has_no_pattern'],
  ])('refuses to %s the page %s', async (what, path, status, error) => {
    const refused = await change(what, path)
    expect([refused.status, refused.body.error]).toEqual([status, error])
  })

  test('leaves out paths of up to 199 characters, and at most 50 pages of a source', async () => {
    const insert = (path: string) =>
      docent.inStore(({ write }) =>
        write
          .insertInto('pages')
          .values({
            sourceId: server.sources[0].id,
            url: site.url + path,
            state: 'failed',
            reason: 'not_found',
            detail: 'No.',
            run: 9,
            depth: 1,
            chunks: 0,
            published: 0,
            misses: 0,
            updatedAt: 1,
          })
          .execute(),
      )
    const [longest, tooLong] = [`/${'x'.repeat(198)}`, `/${'y'.repeat(199)}`]
    for (const path of [longest, tooLong, '/a*b', '/one-more']) await insert(path)
    expect((await change('leave-out', longest)).status).toBe(200)
    await docent.untilDone(server.slug)
    expect((await change('leave-out', tooLong)).body.error).toBe('page_has_no_pattern')
    expect((await change('leave-out', '/a*b')).body.error).toBe('page_has_no_pattern')
    const exclude = Array.from({ length: 50 }, (_, n) => `/left/${n}`)
    const path = `/api/mcp/${server.slug}/sources/${server.sources[0].id}`
    await docent.request('PATCH', path, { exclude })
    await docent.untilDone(server.slug)
    const refused = await change('leave-out', '/one-more')
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('50 patterns')])
    await docent.request('PATCH', path, { exclude: exclude.slice(1) })
    await docent.untilDone(server.slug)
    expect((await change('leave-out', '/one-more')).status).toBe(200)
    await docent.untilDone(server.slug)
  })

  test('refuses one page of a source that is read as a whole, or being indexed', async () => {
    const sourceId = server.sources[0].id
    await docent.inStore(({ write }) =>
      write.updateTable('sources').set({ type: 'repo' }).where('id', '=', sourceId).execute(),
    )
    expect((await change('read', '/oil')).body.error).toBe('pages_read_together')
    await docent.inStore(({ write }) =>
      write.updateTable('sources').set({ type: 'docs' }).where('id', '=', sourceId).execute(),
    )
    const held: (() => void)[] = []
    site.pages.set('/gears', (_request, response) => void held.push(() => response.end()))
    await docent.request('POST', `/api/mcp/${server.slug}/crawl`, {})
    expect((await change('read', '/oil')).body.error).toBe('source_is_indexing')
    await expect.poll(() => held.length).toBe(1)
    site.pages.set('/gears', page('Gears', 'Gears have teeth.'))
    for (const answer of held) answer()
    await docent.untilDone(server.slug)
  })
})
