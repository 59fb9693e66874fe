import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { makeArchive } from '../support/lib/make-archive.ts'
import { checkStructured } from '../support/mcp/check-structured.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Site, archivePage, jsonPage, page, startSite } from '../support/sites/site.ts'

const changelog = (newest: string) =>
  `# Changelog\n\n## ${newest} - 2026-02-02\n\nOils by itself.\n\n## 1.0.0 - 2026-01-01\n\nThe first.\n`
const repository = (newest: string) =>
  makeArchive({
    'widgets-main/README.md':
      '# Widgets\n\nFor walls.\n\n## Install\n\n```sh\nnpm install widgets\n```\n\n## Usage\n\n```ts\nhang(widget)\n```\n',
    'widgets-main/CHANGELOG.md': changelog(newest),
    'widgets-main/db/schema.sql': 'CREATE TABLE walls (\n  id integer PRIMARY KEY\n);\n',
    'widgets-main/src/hang.ts':
      '/**\n * Hangs a widget.\n * @param at Where to.\n * @returns Whether it holds.\n */\nexport function hang(at: Wall): boolean {\n  return true\n}\n\nexport interface Wall {\n  height: number\n}\n',
  })

/** GitHub's API for one repository, for any query; only first pages have items. */
async function startHub(): Promise<Site> {
  const site = await startSite({})
  const base = '/repos/acme/widgets'
  const address = `${site.url}/acme/widgets`
  site.pages.set(base, jsonPage({ default_branch: 'main', private: false, full_name: 'acme/widgets' }))
  site.pages.set(`${base}/tarball/main`, archivePage(repository('1.1.0')))
  site.pages.set(`${base}/releases`, jsonPage([]))
  site.pages.set(
    `${base}/issues`,
    jsonPage([
      {
        html_url: `${address}/issues/7`,
        number: 7,
        title: 'Widget falls down',
        body: 'The widget falls down after a day.',
        state: 'closed',
        state_reason: 'completed',
        labels: [{ name: 'bug' }],
        user: { login: 'ann' },
        author_association: 'NONE',
        comments: 1,
        created_at: '2026-01-02T03:04:05Z',
        updated_at: '2026-01-03T03:04:05Z',
      },
    ]),
  )
  site.pages.set(
    `${base}/issues/comments`,
    jsonPage([
      {
        issue_url: `${site.url}${base}/issues/7`,
        body: 'Use two nails.',
        user: { login: 'bob' },
        author_association: 'OWNER',
        created_at: '2026-01-03T03:04:05Z',
        updated_at: '2026-01-03T03:04:05Z',
      },
    ]),
  )
  const exact = site.pages.get.bind(site.pages)
  site.pages.get = (path) => {
    const [plain = '', query = ''] = path.split('?')
    return /(?:^|&)page=(?!1(?:&|$))/.test(query) ? jsonPage([]) : exact(plain)
  }
  return site
}

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Widget API', version: '1' },
  paths: {
    '/widgets/{id}': {
      get: {
        summary: 'Get a widget',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'OK' }, 404: { description: 'No such widget' } },
      },
    },
  },
  components: { schemas: { Widget: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
}

onSqliteAtLeast('ten tools', (engine) => {
  const at = {} as { docent: Docent; hub: Site; site: Site }
  let slug = ''
  const create = async (name: string, sources: object[]) => {
    const tools = BUILT_IN_TOOLS.map((tool) => tool.name)
    const { body } = await at.docent.request('POST', '/api/mcp/create', {
      name,
      sources,
      tools,
      structuredOutput: true,
    })
    await at.docent.untilDone(body.slug)
    return body.slug as string
  }
  const call = async (tool: string, args: object, server = slug) => {
    const { result, error } = await at.docent.callTool(server, tool, args, { 'mcp-protocol-version': '2025-11-25' })
    expect(error).toBeUndefined()
    checkStructured(tool, result.structuredContent, [])
    return { text: result.content[0].text as string, ...result.structuredContent }
  }

  beforeAll(async () => {
    at.hub = await startHub()
    at.site = await startSite({
      '/': page('Handbook', 'Welcome to the handbook, which tells how widgets are cared for on every wall.', [
        '/v1/care',
        '/v2/care',
      ]),
      '/v1/care': page('Care', 'Widgets are dusted once a year, with a dry cloth and some patience.'),
      '/v2/care': page('Care', 'Widgets are dusted twice a year, with a wet cloth and some patience.'),
      '/openapi.json': JSON.stringify(DESCRIPTION),
    })
    at.docent = await startDocent({ engine, environment: { DOCENT_GITHUB_API_URL: at.hub.url } })
    slug = await create('All', [
      { url: `${at.site.url}/`, type: 'docs', label: 'Handbook' },
      { url: `${at.site.url}/openapi.json`, type: 'api', label: 'API' },
      { url: `${at.hub.url}/acme/widgets`, type: 'repo', label: 'Code' },
    ])
  })
  afterAll(async () => {
    for (const part of [at.docent, at.site, at.hub]) await part[Symbol.asyncDispose]()
  })

  test('lists the tools with their schemas', async () => {
    const { body } = await at.docent.request(
      'POST',
      `/api/mcp/${slug}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { key: null },
    )
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(BUILT_IN_TOOLS.map(({ name }) => name))
  })

  test('searches by version', async () => {
    const { results } = await call('search_docs', { query: 'how often are widgets dusted', version: '2' })
    expect(results.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual(['/v2/care'])
  })

  test('looks up names from code and API descriptions', async () => {
    expect(await call('find_api_reference', { name: 'hang' })).toMatchObject({
      match: 'exact',
      results: [
        {
          signature: 'export function hang(at: Wall): boolean',
          parameters: [{ name: 'at', description: 'Where to.' }],
          returns: 'Whether it holds.',
        },
      ],
      text: expect.stringMatching(/^Source: .*blob\/main\/src\/hang\.ts/m),
    })
    expect(await call('find_api_reference', { name: 'GET /widgets/{widget}' })).toMatchObject({
      results: [{ title: 'Get a widget: GET /widgets/{id}', errors: ['404: No such widget'] }],
      text: expect.stringMatching(/^Source: .*#\/paths\/~1widgets~1%7Bid%7D\/get$/m),
    })
  })

  test('returns schemas as the sources have them', async () => {
    const { results } = await call('extract_schema', { name: 'Widget' })
    expect(results).toMatchObject([{ format: 'json_schema', fields: [{ name: 'name', required: true }] }])
    expect(JSON.parse(results[0].text)).toEqual(DESCRIPTION.components.schemas.Widget)
    expect(await call('extract_schema', { name: 'walls' })).toMatchObject({
      results: [{ format: 'sql', text: 'CREATE TABLE walls (\n  id integer PRIMARY KEY\n);' }],
    })
    expect(await call('extract_schema', { name: 'Wall' })).toMatchObject({
      results: [{ format: 'typescript', text: 'export interface Wall {\n  height: number\n}' }],
    })
  })

  test('finds answers of maintainers', async () => {
    expect(await call('search_issues', { query: 'falls down', labels: ['bug'], state: 'closed' })).toMatchObject({
      results: [{ number: 7, answers: [{ by: 'bob', maintainer: true, text: 'Use two nails.' }] }],
      text: expect.stringContaining(`Source: ${at.hub.url}/acme/widgets/issues/7\n`),
    })
  })

  test('explains how to begin, and summarizes a page and a source', async () => {
    expect(await call('get_quickstart', { source: 'Code' })).toMatchObject({
      results: [
        { step: 1, phase: 'install', code: [{ text: 'npm install widgets' }] },
        { step: 2, phase: 'use', code: [{ text: 'hang(widget)' }] },
      ],
    })
    const summary = await call('summarize_content', { url: `${at.site.url}/v2/care` })
    expect(summary).toMatchObject({ of: 'page', results: [{ sentences: [expect.stringContaining('twice a year')] }] })
    expect(await call('summarize_content', { source: 'Handbook' })).toMatchObject({ of: 'source' })
  })

  test('lists changes, and those since a refresh', async () => {
    const versions = async () =>
      (await call('get_changelog', {})).results.map(({ version }: { version: string }) => version)
    expect(await versions()).toEqual(['1.1.0', '1.0.0'])
    at.hub.pages.set('/repos/acme/widgets/tarball/main', archivePage(repository('1.2.0')))
    await at.docent.request('POST', '/api/mcp/crawl', { serverId: slug })
    await at.docent.untilDone(slug)
    expect(await versions()).toEqual(['1.2.0', '1.0.0'])
  })

  test('says which kind of source to add when a tool’s is missing', async () => {
    const bare = await create('Bare', [{ url: `${at.site.url}/openapi.json`, type: 'api' }])
    for (const [tool, args] of [
      ['search_issues', { query: 'x' }],
      ['get_changelog', {}],
      ['get_quickstart', {}],
    ] as const) {
      const { text, missing, results } = await call(tool, args, bare)
      expect(text).toMatch(/^\[note\] The sources of this server hold no .* (?:Add|add) /)
      expect({ results, needs: missing.needs.length > 0 }).toEqual({ results: [], needs: true })
    }
  })
})
