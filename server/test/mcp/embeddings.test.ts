import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Engine, makePlace, onSqliteAtLeast, type Place } from '../support/database/engines.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../support/models/embedding-server.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const KEY = 'sk-embeddings-of-the-operator'

onSqliteAtLeast('embeddings', (engine: Engine) => {
  let site: Site
  let model: EmbeddingServer
  let place: Place

  beforeEach(async () => {
    site = await startSite({
      '/': page('Home', 'Welcome to the handbook of the house.', ['/cats', '/rain', '/spoons', '/brass']),
      '/cats': page('Cats', 'Every cat gets its food twice a day, in the morning and in the evening.'),
      '/rain': page('Weather', 'It rains in autumn, and everybody stays inside the house for weeks.'),
      '/spoons': page('Spoons', 'Spoons are kept in the drawer below the window of the kitchen.'),
      '/brass': page('Brass', 'Brass is polished once a month with a soft cloth and some vinegar.'),
    })
    model = await startEmbeddingServer()
    place = await makePlace(engine)
  })
  afterEach(() => disposeAll(place, model, site))

  const start = (name: string | null = 'words-1') =>
    startDocent({
      place,
      environment: name
        ? { DOCENT_EMBEDDINGS_BASE_URL: model.url, DOCENT_EMBEDDINGS_MODEL: name, DOCENT_EMBEDDINGS_API_KEY: KEY }
        : {},
    })

  async function makeServer(docent: Docent): Promise<string> {
    const sources = [{ url: `${site.url}/` }]
    const { slug } = await docent.createServer({ name: 'House', sources })
    return slug
  }

  async function search(docent: Docent, slug: string, query: string) {
    const { result } = await docent.callTool(slug, 'search_docs', { query })
    const { body } = await docent.request('GET', `/api/analytics/${slug}/calls`)
    const trace = await docent.request('GET', `/api/mcp/${slug}/calls/${body.calls[0].id}/trace`)
    const titles: string[] = resultsIn(result).map(({ title }) => title)
    return { titles, search: trace.body.searches[0] }
  }

  const refresh = async (docent: Docent, slug: string) => {
    await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
    await docent.untilDone(slug)
  }
  const embedded = () => model.batches.flat().filter((text) => text.includes('\n'))

  test('finds a page that shares no word with the question', async () => {
    await using docent = await start()
    const slug = await makeServer(docent)
    const { titles, search: told } = await search(docent, slug, 'feline nourishment')
    expect(titles[0]).toBe('Cats')
    expect(told.embeddings).toBe('used')
    expect(told.candidates[0].features).toMatchObject({ embedding: 1, chunk: 0 })
    expect((await search(docent, slug, 'precipitation')).titles[0]).toBe('Weather')
    expect(model.keys.every((key) => key === `Bearer ${KEY}`)).toBe(true)
    expect((await docent.request('GET', '/api/account/entitlements')).body.features.embeddings).toBe(true)
  })

  test('keeps good lexical matches first and obeys filters', async () => {
    await using docent = await start()
    const slug = await makeServer(docent)
    expect((await search(docent, slug, 'where are spoons kept')).titles[0]).toBe('Spoons')
    const { result } = await docent.callTool(slug, 'search_docs', { query: 'feline nourishment', path: '/rain' })
    const urls = resultsIn(result).map(({ url }) => new URL(url).pathname)
    expect(new Set(urls)).toEqual(new Set(['/rain']))
  })

  test('computes embeddings once per changed text and per new question', async () => {
    await using docent = await start()
    const slug = await makeServer(docent)
    expect(embedded()).toHaveLength(5)
    expect(embedded().find((text) => text.startsWith('Cats'))).toContain('Every cat gets its food')
    await refresh(docent, slug)
    expect(embedded()).toHaveLength(5)
    site.pages.set('/brass', page('Brass', 'Brass is left alone nowadays, and gets its food from nobody at all.'))
    await refresh(docent, slug)
    expect(embedded()).toHaveLength(6)
    expect((await search(docent, slug, 'feline nourishment')).titles[0]).toBe('Cats')
    const asked = () => model.batches.flat().filter((text) => text === 'feline nourishment').length
    await search(docent, slug, 'feline nourishment')
    expect(asked()).toBe(1)
    await expect
      .poll(() => docent.inStore(({ read }) => read.selectFrom('modelUsage').selectAll().execute()))
      .toMatchObject([{ kind: 'embeddings', inputTokens: 7, outputTokens: 0 }])
  })

  test('recomputes embeddings for another model and leaves them out of searches until then', async () => {
    let slug = ''
    {
      await using docent = await start()
      slug = await makeServer(docent)
    }
    await using docent = await start('words-2')
    expect((await search(docent, slug, 'feline nourishment')).search.embeddings).toBe('off')
    model.models.length = 0
    await refresh(docent, slug)
    expect(embedded()).toHaveLength(10)
    expect(new Set(model.models)).toEqual(new Set(['words-2']))
    expect(await search(docent, slug, 'feline nourishment')).toMatchObject({
      titles: { 0: 'Cats' },
      search: { embeddings: 'used' },
    })
  })

  test('computes embeddings at the next refresh when the model fails during indexing', async () => {
    model.misbehave = (response) => void response.writeHead(401).end('{}')
    await using docent = await start()
    const slug = await makeServer(docent)
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body.sources[0].crawlStatus).toBe('complete')
    expect((await search(docent, slug, 'spoons')).titles[0]).toBe('Spoons')
    expect((await search(docent, slug, 'feline nourishment')).search.embeddings).toBe('off')
    model.misbehave = null
    await refresh(docent, slug)
    expect((await search(docent, slug, 'feline nourishment')).titles[0]).toBe('Cats')
  })

  test.each<[string, NonNullable<EmbeddingServer['misbehave']>]>([
    ['fails', (response) => void response.writeHead(401).end('{}')],
    ['sends too few', (response) => void response.end('{"data": []}')],
    ['sends vectors of no length', (response) => void response.end('{"data": [{"index": 0, "embedding": [0, 0]}]}')],
    ['sends no numbers', (response) => void response.end('{"data": [{"index": 0, "embedding": ["a"]}]}')],
    ['does not answer', () => {}],
  ])('searches without embeddings and notes it in the trace when the model %s for a question', async (_, misbehave) => {
    await using docent = await start()
    const slug = await makeServer(docent)
    model.misbehave = misbehave
    const { titles, search: told } = await search(docent, slug, 'spoons in the drawer')
    expect([titles[0], told.embeddings]).toEqual(['Spoons', 'failed'])
    // During the cooldown after a failure nobody waits for the model.
    const before = model.batches.length
    expect((await search(docent, slug, 'brass and vinegar')).search.embeddings).toBe('failed')
    expect(model.batches).toHaveLength(before)
  })
})
