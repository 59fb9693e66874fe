import { afterAll, beforeAll, expect, test } from 'vitest'
import { onBothEngines, repeatsOn } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { findGit, startGitHost } from '../support/sites/git-host.ts'
import { makeArchive } from '../support/lib/make-archive.ts'
import { type Page, startSite } from '../support/sites/site.ts'

const page = (text: string, { head = '', banner = '', links = [] as string[] } = {}) =>
  `<!doctype html><html lang="en"><head><title>Oiling</title>${head}</head><body>${banner}
<nav>${links.map((href) => `<a href="${href}">More</a>`).join('')}</nav>
<main><h1>Oiling</h1><p>Oil a sprocket ${text}, once in every season and after rain.</p></main></body></html>`

const git = findGit()
const canonical = (path: string) => `<link rel="canonical" href="${path}">`

/** Path, HTML, and the word that tells the pages apart. */
const PAGES = {
  '/': page('today', { links: ['/guide', '/archive', '/7/oil', '/8/oil', '/tips'] }),
  '/8/oil': page('with graphite', { head: canonical('/8/oil') }),
  '/7/oil': page('with tallow', { head: canonical('/8/oil') }),
  '/archive': page('with lard', {
    banner:
      '<div class="theme-doc-version-banner alert" role="alert">This is documentation for Sprocket 3.x, which is no longer actively maintained. For the latest, see 8.</div>',
  }),
  '/guide': page('with butter', {
    banner: '<div class="admonition warning"><p>You are reading an old version.</p></div>',
  }),
  '/tips': page('with resin. Replace old versions of the brush'),
}

const ALL = ['butter', 'graphite', 'lard', 'resin', 'tallow', 'today']

onBothEngines('pages in several versions', (engine) => {
  let docent: Docent
  beforeAll(async () => void (docent = await startDocent({ engine })))
  afterAll(() => docent[Symbol.asyncDispose]())

  test.runIf(repeatsOn(engine))(
    'finds out which pages are of an older version by banners and canonical links',
    async () => {
      await using site = await startSite(PAGES)
      const { slug } = await docent.createServer({ name: 'Sprockets', sources: [{ url: `${site.url}/` }] })
      const found = async (version?: string) => {
        const answer = await docent.callTool(slug, 'search_docs', {
          query: 'oil a sprocket in every season',
          limit: 10,
          ...(version ? { version } : {}),
        })
        const text = JSON.stringify(answer)
        return ALL.filter((word) => text.includes(word))
      }
      expect(await found()).toEqual(ALL)
      expect(await found('latest')).toEqual(['graphite', 'resin', 'today'])
      expect(await found('7')).toEqual(['tallow'])
      expect(await found('3')).toEqual(['lard'])
      expect(await found('old')).toEqual(['butter'])
    },
  )

  test.runIf(repeatsOn(engine))(
    'takes a page for an older version once it has a banner, although its text is the same',
    async () => {
      await using site = await startSite({ '/': page('today', { links: ['/guide'] }), '/guide': page('with butter') })
      const { slug } = await docent.createServer({ name: 'Sprockets', sources: [{ url: `${site.url}/` }] })
      const latest = async () =>
        JSON.stringify(await docent.callTool(slug, 'search_docs', { query: 'oil a sprocket', version: 'latest' }))
      expect(await latest()).toContain('butter')
      site.pages.set('/guide', PAGES['/guide'])
      await docent.request('POST', `/api/mcp/${slug}/crawl`)
      await docent.untilDone(slug)
      expect(await latest()).not.toContain('butter')
    },
  )

  test.runIf(repeatsOn(engine))(
    'ranks old copies below the newest one unless a version is asked for, and finds out which is the latest',
    async () => {
      const paths = ['/v2/oil', '/v3/oil', '/v3/gears']
      const pages = paths.map((path) => [
        path,
        page(`with tallow, as in ${path.slice(1)} ${path === '/v2/oil' ? ', with tallow' : ''}`),
      ])
      await using site = await startSite({ '/': page('today', { links: paths }), ...Object.fromEntries(pages) })
      const { slug } = await docent.createServer({
        name: 'Sprockets',
        sources: ['/', '/v2/oil'].map((path) => ({ url: `${site.url}${path}` })),
      })
      const order = async (query: string, more: object = {}) => {
        const answer = await docent.callTool(slug, 'search_docs', { query, limit: 10, ...more })
        return [...JSON.stringify(answer).matchAll(/Source: \S+?\/(v\d\/oil)/g)].map(([, path]) => path)
      }
      expect(await order('oil a sprocket with tallow')).toEqual(['v3/oil', 'v2/oil'])
      expect(await order('oil a sprocket with tallow in old versions')).toEqual(['v2/oil', 'v3/oil'])
      expect(await order('oil a sprocket with tallow', { version: 'latest' })).toEqual(['v3/oil'])
      const ask = async (version?: string) =>
        JSON.stringify(await docent.callTool(slug, 'ask_question', { question: 'How is a sprocket oiled?', version }))
      expect(await ask('2')).toContain('/v2/oil')
      expect(await ask('2')).not.toContain('/v3/oil')
      expect(await ask('9')).toContain("No page's address names version")
    },
  )

  test('indexes a page once that is the same in several versions, and finds and cites it in each', async () => {
    const paths = ['/v1/oil', '/v3/oil', '/v2/oil', '/v1/gears', '/v3/gears']
    const same = page('with tallow')
    const pages = paths.map((path) => [path, path.endsWith('oil') ? same : page(`of gears, as in ${path.slice(1)}`)])
    await using site = await startSite({ '/': page('today', { links: paths }), ...Object.fromEntries(pages) })
    const sources = [{ url: `${site.url}/`, include: ['/'] }]
    const tools = ['search_docs', 'ask_question', 'summarize_content']
    const { slug } = await docent.createServer({ name: 'Sprockets', tools, sources })
    const citedBy = async (server: string, filter: object) => {
      const answer = await docent.callTool(server, 'search_docs', { query: 'oil with tallow', ...filter })
      return [...JSON.stringify(answer).matchAll(/Source: \S+?(\/v\d\/\w+)/g)].map(([, path]) => path)
    }
    const cited = async (version?: string) => citedBy(slug, { version })
    const counts = async () => (await docent.request('GET', `/api/mcp/${slug}`)).body.sources[0]
    expect(await counts()).toMatchObject({ pagesIndexed: 4, pagesSkipped: 2 })
    expect((await cited())[0]).toBe('/v3/oil')
    for (const version of ['1', '2', 'v3']) expect((await cited(version))[0]).toBe(`/v${version.replace('v', '')}/oil`)
    expect(await citedBy(slug, { path: '/v1/' })).toEqual(['/v1/oil', '/v1/gears'])
    expect(await citedBy(slug, { path: '/*/oil', version: '2' })).toEqual(['/v2/oil'])
    const answer = await docent.callTool(slug, 'ask_question', { question: 'What oils a sprocket?', version: '2' })
    expect(JSON.stringify(answer)).toContain(`${site.url}/v2/oil`)
    const read = await docent.callTool(slug, 'summarize_content', { url: `${site.url}/v1/oil` })
    expect(JSON.stringify(read)).toContain(`${site.url}/v1/oil`)
    const file = (await docent.request('GET', `/api/mcp/${slug}/export`)).text
    const made = (await docent.request('POST', '/api/server-files?visibility=public', Buffer.from(file))).body
    expect((await docent.untilDone(made.slug)).sources[0]).toMatchObject({ pagesIndexed: 4, pagesSkipped: 2 })
    for (const version of ['1', '2', '3']) expect((await citedBy(made.slug, { version }))[0]).toBe(`/v${version}/oil`)

    site.pages.set('/v3/oil', page('with graphite'))
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    await docent.untilDone(slug)
    expect(await counts()).toMatchObject({ pagesIndexed: 5, pagesSkipped: 1 })
    expect(await cited('3')).not.toContain('/v2/oil')
    for (const version of ['1', '2']) expect((await cited(version))[0]).toBe(`/v${version}/oil`)
  })

  test.runIf(repeatsOn(engine))(
    'are read from tags and branches of a repository, each page once as long as it is the same',
    async () => {
      const api = '/api/v1/repos/acme/oil'
      const json =
        (body: unknown): Page =>
        (_, response) =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      await using site = await startSite({ [api]: json({ default_branch: 'main' }), [`${api}/tags/v1.0`]: json({}) })
      const commit = (ref: string, sha: string, oil: string) => {
        const query = 'limit=1&stat=false&files=false&verification=false'
        const files = { 'top/oil.md': `# Oil\n\nA sprocket runs with ${oil}.`, 'top/gears.md': `# Gears\n\nOf ${ref}.` }
        const changes = '# Changelog\n\n## 2.1.0\n\n- Butter.\n\n## 1.0.0\n\n- Tallow.\n'
        if (ref === 'main') Object.assign(files, { 'top/CHANGELOG.md': changes })
        site.pages.set(`${api}/commits?${query}&sha=${encodeURIComponent(ref)}`, json([{ sha: sha.repeat(40) }]))
        site.pages.set(
          `${api}/archive/${sha.repeat(40)}.tar.gz`,
          (_, response) => void response.end(makeArchive(files)),
        )
      }
      const tags = ['v0.9', 'v1.0', 'v1.0-rc.1', 'odd'].map((name) => ({ name }))
      site.pages.set(`${api}/tags?limit=50`, json(tags))
      commit('main', 'a', 'tallow')
      commit('v1.0', 'b', 'tallow')
      commit('2.x', 'c', 'butter')
      const sources = [{ url: `${site.url}/acme/oil`, type: 'repo', versions: ['newest:1', '2.x'] }]
      const tools = ['search_docs', 'ask_question', 'get_changelog']
      const { slug } = await docent.createServer({ name: 'Oils', tools, sources })
      const cited = async (query: string, version?: string) => {
        const answer = await docent.callTool(slug, 'search_docs', { query, version })
        const urls = [...JSON.stringify(answer).matchAll(/Source: \S+?\/src\/(\S+?)\/oil.md/g)].map(([, ref]) => ref)
        return urls[0]
      }
      const source = async () => (await docent.untilDone(slug)).sources[0]
      expect(await source()).toMatchObject({ pagesIndexed: 6, pagesSkipped: 1 })
      expect(await cited('oil with tallow')).toBe('branch/main')
      expect(await cited('oil with tallow', '1.0')).toBe('tag/v1.0')
      expect(await cited('oil with butter', '2')).toBe('branch/2.x')
      const changes = JSON.stringify(await docent.callTool(slug, 'get_changelog', {}))
      for (const place of ['tag/v1.0', 'branch/2.x'])
        expect(changes).toContain(`Documentation of this version: ${site.url}/acme/oil/src/${place}/oil.md`)

      commit('main', 'd', 'graphite')
      site.requests.length = 0
      await docent.request('POST', `/api/mcp/${slug}/crawl`)
      expect(await source()).toMatchObject({ pagesIndexed: 7, pagesSkipped: 0 })
      expect(await cited('oil with graphite')).toBe('branch/main')
      expect(await cited('oil with tallow', 'v1')).toBe('tag/v1.0')
      // A branch in work is the latest only where nothing else is.
      expect(await cited('oil', 'latest')).toBe('branch/2.x')
      // Its text was stored: only the changed branch was fetched.
      const fetched = site.requests.flatMap(({ path }) => /archive\/(.)/.exec(path)?.[1] ?? [])
      expect(fetched).toEqual(['d'])
    },
  )

  test.skipIf(git === null)('are read from tags and branches at a git host without an API', async () => {
    if (git === null) return
    await using host = await startGitHost(git)
    const oil = (text: string) => ({ 'oil.md': `# Oil\n\nA sprocket runs with ${text}.` })
    host.commit({ ...oil('tallow'), 'gears.md': '# Gears\n\nOf brass.' }, 'old')
    host.git('tag', 'v1.0')
    host.git('push', '-q', `${host.git('rev-parse', '--show-toplevel')}/../acme/widgets.git`, 'v1.0')
    host.commit(oil('butter'), '2.x')
    host.commit({ ...oil('graphite'), 'chains.md': '# Chains\n\nOf steel.' })
    const url = `${host.url}/acme/widgets.git`
    const sources = [{ url, type: 'repo', versions: ['newest:1', '2.x'] }]
    const { slug } = await docent.createServer({ name: 'Widgets', sources })
    const cited = async (query: string, version?: string) => {
      const answer = JSON.stringify(await docent.callTool(slug, 'search_docs', { query, version }))
      return /Source: \S+?\?docent-file=([\w.&=]+)/.exec(answer)?.[1]
    }
    const pages = async () => (await docent.untilDone(slug)).sources[0]?.pagesIndexed
    expect(await pages()).toBe(5)
    expect(await cited('oil with graphite')).toBe('oil.md')
    expect(await cited('oil with tallow', '1.0')).toBe('oil.md&h=v1.0')
    expect(await cited('oil with butter', '2')).toBe('oil.md&h=2.x')
    // The same in all of them.
    expect(await cited('gears of brass')).toBe('gears.md')
    expect(await cited('gears of brass', 'v1')).toBe('gears.md&h=v1.0')

    // A page that one version loses stays in the others.
    host.git('rm', '-q', 'chains.md')
    host.commit(oil('grease'))
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    expect(await pages()).toBe(4)
    expect(await cited('oil with grease')).toBe('oil.md')
    expect(await cited('oil with tallow', '1.0')).toBe('oil.md&h=v1.0')
    host.git('checkout', '-q', '2.x')
    host.git('rm', '-q', 'oil.md')
    host.commit({}, '2.x')
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    expect(await pages()).toBe(3)
    expect(await cited('oil with grease')).toBe('oil.md')
  })

  test('are read from archives of releases, each uploaded as a version of one source', async () => {
    const { slug } = await docent.createServer({ name: 'Releases', sources: [], uploads: ['oil@1.0', 'oil@2.0'] })
    const upload = async (name: string, files: Record<string, string>) => {
      const archive = makeArchive(files)
      const sent = await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=${name}`, archive)
      await docent.untilDone(slug)
      return [sent.status, sent.body.versions ?? sent.body.message]
    }
    const oil = (text: string) => `# Oil\n\nA sprocket runs with ${text}.`
    const gears = '# Gears\n\nOf brass.'
    const old = { 'oil-1.0/oil.md': oil('tallow'), 'oil-1.0/gears.md': gears }
    expect(await upload('oil@1.0', old)).toEqual([200, ['1.0']])
    expect(await upload('oil@2.0', { 'oil-2.0/oil.md': oil('graphite'), 'oil-2.0/gears.md': gears })).toEqual([
      200,
      ['2.0', '1.0'],
    ])
    await docent.request('PATCH', `/api/mcp/${slug}`, { webPages: 'off' })
    const cited = async (query: string, version?: string) => {
      const answer = JSON.stringify(await docent.callTool(slug, 'search_docs', { query, version }))
      return /Source: upload:..oil.([\w./]+)/.exec(answer)?.[1] ?? null
    }
    const source = async () => (await docent.untilDone(slug)).sources[0]
    expect(await source()).toMatchObject({ url: 'upload://oil/', pagesIndexed: 3, pagesSkipped: 1 })
    expect(await cited('oil a sprocket')).toBe('2.0/oil.md')
    expect(await cited('oil a sprocket', '1')).toBe('1.0/oil.md')
    expect(await cited('oil a sprocket', 'latest')).toBe('2.0/oil.md')
    // The same in both.
    expect(await cited('gears of brass')).toBe('2.0/gears.md')
    expect(await cited('gears of brass', '1.0')).toBe('1.0/gears.md')

    // A new archive replaces that of its version only.
    expect(await upload('oil@1.0', { 'oil-1.0/oil.md': oil('lard') })).toEqual([200, ['2.0', '1.0']])
    expect(await cited('oil a sprocket with lard', '1.0')).toBe('1.0/oil.md')
    expect(await cited('oil a sprocket', '2.0')).toBe('2.0/oil.md')
    const count = () =>
      docent.inStore(
        async ({ read }) =>
          (await read.selectFrom('uploads').selectAll().where('sourceId', 'is not', null).execute()).length,
      )
    expect(await count()).toBe(2)

    // A version is removed in the settings of the source, and one that was not sent fails.
    const { id } = await source()
    await docent.request('PATCH', `/api/mcp/${slug}/sources/${id}`, { versions: ['2.0', '3.0'] })
    expect(await source()).toMatchObject({
      pagesIndexed: 2,
      pagesFailed: 1,
      skipped: [{ example: '3.0: Nothing has been uploaded yet.' }],
    })
    expect(await cited('oil a sprocket with lard', '1.0')).not.toContain('1.0')
    expect(await count()).toBe(1)

    const versions = Array.from({ length: 10 }, (_, minor) => `2.${minor}`)
    await docent.request('PATCH', `/api/mcp/${slug}/sources/${id}`, { versions })
    expect(await upload('oil@2.9', old)).toEqual([200, versions.toReversed()])
    expect(await upload('oil@3.0', old)).toEqual([400, expect.stringContaining('at most 10 versions')])
    for (const name of ['oil@', 'oil@latest', 'oil@2', 'oil@1.0@2.0', '@1.0'])
      expect((await upload(name, old))[0]).toBe(400)
  })

  test('stay after an import when a new archive replaces one of them', async () => {
    const made = await docent.createServer({ name: 'Exported', sources: [], uploads: ['oil', 'oil@1.0', 'oil@2.0'] })
    const upload = async (slug: string, name: string, files: Record<string, string>) => {
      await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=${name}`, makeArchive(files))
      return (await docent.untilDone(slug)).sources[0]
    }
    const oil = (text: string) => `# Oil\n\nA sprocket runs with ${text}.`
    for (const [name, text] of Object.entries({ oil: 'water', 'oil@1.0': 'tallow', 'oil@2.0': 'graphite' }))
      await upload(made.slug, name, { 'a/oil.md': oil(text), 'a/more.md': `# More\n\nOf ${text}.` })
    const { text: file } = await docent.request('GET', `/api/mcp/${made.slug}/export`)
    const { body } = await docent.request('POST', '/api/server-files?visibility=public', new TextEncoder().encode(file))
    const source = await docent.untilDone(body.slug).then(({ sources }) => sources[0])
    expect(source).toMatchObject({ pagesIndexed: 6, versions: ['2.0', '1.0'] })
    const pages = async () => {
      const { text } = await docent.request('GET', `/api/mcp/${body.slug}/export`)
      const urls = [...text.matchAll(/"kind":"page".*?"url":"upload:..oil.([^"]+)"/g)].map(([, path]) => path)
      return urls.toSorted()
    }

    await docent.request('POST', `/api/mcp/${body.slug}/crawl`)
    expect(await docent.untilDone(body.slug)).toMatchObject({ sources: [{ pagesIndexed: 6, crawlStatus: 'complete' }] })
    expect(await upload(body.slug, 'oil@2.0', { 'a/oil.md': oil('soap') })).toMatchObject({
      pagesIndexed: 5,
      pagesFailed: 0,
    })
    expect(await pages()).toEqual(['1.0/more.md', '1.0/oil.md', '2.0/oil.md', 'a/more.md', 'a/oil.md'])

    // What was imported goes with its version, and with the archive that replaces it.
    await docent.request('PATCH', `/api/mcp/${body.slug}/sources/${source.id}`, { versions: ['2.0'] })
    await docent.untilDone(body.slug)
    expect(await pages()).toEqual(['2.0/oil.md', 'a/more.md', 'a/oil.md'])
    await upload(body.slug, 'oil', { 'oil.md': oil('milk') })
    expect(await pages()).toEqual(['2.0/oil.md', 'oil.md'])
  })

  test.runIf(repeatsOn(engine))('are read beside the newest one if the source names them', async () => {
    const paths = ['/docs/v1/oil', '/docs/v2/oil', '/docs/v3/oil']
    const pages = paths.map((path) => [path, page(`as in ${path}`)])
    await using site = await startSite({
      '/': page('today', { links: paths }),
      '/docs/v1/': page('in the beginning', { links: ['/docs/v1/oil'] }),
      '/docs/v3/': page('at last', { links: ['/docs/v3/oil', '/docs/v2/oil'] }),
      ...Object.fromEntries(pages),
    })
    const { slug } = await docent.createServer({
      name: 'Sprockets',
      sources: [{ url: `${site.url}/` }, { url: `${site.url}/docs/v3/`, versions: ['v1', 'v0'] }],
    })
    const { sources } = await docent.untilDone(slug)
    const indexed = async (sourceId: string) => {
      const { pages: listed } = (
        await docent.request('GET', `/api/mcp/${slug}/pages?sourceId=${sourceId}&state=indexed`)
      ).body
      return listed.map(({ url }: { url: string }) => new URL(url).pathname)
    }
    expect(await indexed(sources[0].id)).toEqual(['/', '/docs/v3/oil'])
    expect(await indexed(sources[1].id)).toEqual(['/docs/v1/', '/docs/v1/oil', '/docs/v3/', '/docs/v3/oil'])
    const path = `/api/mcp/${slug}/sources/${sources[0].id}`
    const changed = await docent.request('PATCH', path, { versions: ['2.x'] })
    expect(changed.body).toMatchObject({ versions: ['2.x'] })
    await docent.untilDone(slug)
    expect(await indexed(sources[0].id)).toEqual(['/', '/docs/v2/oil', '/docs/v3/oil'])
    // The newest ones beside that of the address, and beside the newest one.
    for (const [at, paths] of [
      [0, ['/', '/docs/v2/oil', '/docs/v3/oil']],
      [1, ['/docs/v2/oil', '/docs/v3/', '/docs/v3/oil']],
    ] as const) {
      const source = `/api/mcp/${slug}/sources/${sources[at].id}`
      expect((await docent.request('PATCH', source, { versions: ['newest:2'] })).status).toBe(200)
      await docent.untilDone(slug)
      // Versions that the first reading has found count from the second on.
      await docent.request('POST', `/api/mcp/${slug}/crawl`)
      await docent.untilDone(slug)
      expect(await indexed(sources[at].id)).toEqual(paths)
    }
    for (const versions of [['../v1'], ['newest:11'], ['newest:0'], ['newest:']])
      expect((await docent.request('PATCH', path, { versions })).status).toBe(400)
  })
})
