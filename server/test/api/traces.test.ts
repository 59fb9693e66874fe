import { createServer } from 'node:http'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { onSqliteAtLeast, repeatsOn } from '../support/database/engines.ts'
import { startLanguageModel, type LanguageModel } from '../support/models/language-model.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: unknown }[]
}

/** A collector of OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
async function startCollector() {
  const spans: Span[] = []
  const paths = new Set<string>()
  const server = createServer((request, response) => {
    paths.add(request.url ?? '')
    void json(request).then((body: any) => {
      for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    paths,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
/** Traces of a message with it in its `_meta`, and of a question for a model. */
const [IN_META = '', OF_MODEL = ''] = ['5', '6'].map((digit) => TRACE.replaceAll('4', digit))
const traceparent = (trace = TRACE, flags = '01') => `00-${trace}-${SPAN}-${flags}`

onSqliteAtLeast('traces', (engine) => {
  /** Only the use of models is written to the database. */
  const testOnce = test.runIf(repeatsOn(engine))
  let docent: Docent
  let site: Site
  let model: LanguageModel
  let slug: string
  let collector: Awaited<ReturnType<typeof startCollector>>
  const headersOfSite: unknown[] = []

  const call = (tool: string, args: object, { headers = {}, meta }: { headers?: object; meta?: object } = {}) =>
    fetch(`${docent.url}/api/mcp/${slug}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: args, ...(meta ? { _meta: meta } : {}) },
      }),
    }).then((answer) => answer.json())
  const spansOf = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace)
  const parentOf = (span: Span | undefined) => collector.spans.find(({ spanId }) => spanId === span?.parentSpanId)
  const until = (check: () => void) => vi.waitFor(check, 90_000)

  beforeAll(async () => {
    collector = await startCollector()
    model = await startLanguageModel('Gears have teeth that mesh. [1]')
    site = await startSite({
      '/': (request, response) => {
        headersOfSite.push(request.headers['traceparent'])
        response.writeHead(200, { 'content-type': 'text/html' }).end(page('Gears', 'Gears have teeth that mesh.'))
      },
    })
    docent = await startDocent({
      engine,
      environment: {
        DOCENT_TRACES_URL: collector.url,
        DOCENT_LLM_BASE_URL: `${model.url}/v1`,
        DOCENT_LLM_MODEL: 'small-1',
      },
    })
    slug = (await docent.createServer({ name: 'Zanzibar', sources: [{ url: `${site.url}/` }] })).slug
    // Spans leave in batches, every five seconds: the tests wait for those of all calls together.
    await call('search_docs', { query: 'gears' }, { headers: { traceparent: traceparent() } })
    await call('search_docs', { query: 'teeth' }, { meta: { traceparent: traceparent(IN_META) } })
    await call('ask_question', { question: 'What do gears have?' }, { headers: { traceparent: traceparent(OF_MODEL) } })
  })
  afterAll(async () => {
    for (const one of [docent, site, model, collector]) await one[Symbol.asyncDispose]()
  })

  testOnce('go on from the request of a client to the tool and what it reads', async () => {
    await until(() => expect(spansOf(TRACE).map(({ name }) => name)).toContain('POST /api/mcp/:id'))
    const found = (name: string) => spansOf(TRACE).find((span) => span.name === name)
    expect(found('POST /api/mcp/:id')?.parentSpanId).toBe(SPAN)
    expect(parentOf(found('tools/call search_docs'))?.name).toBe('POST /api/mcp/:id')
    expect(parentOf(found('read texts'))?.name).toBe('tools/call search_docs')
    expect([...collector.paths]).toEqual(['/v1/traces'])
  })

  testOnce('take the trace of a message from its `_meta`', async () => {
    await until(() => expect(spansOf(IN_META).map(({ name }) => name)).toContain('tools/call search_docs'))
  })

  testOnce.each([
    ['an invalid one', 'no traceparent'],
    ['one that is not sampled', traceparent('5'.repeat(32), '00')],
  ])('survive %s', async (_, given) => {
    expect(await call('search_docs', { query: 'mesh' }, { headers: { traceparent: given } })).toHaveProperty('result')
    expect(spansOf('5'.repeat(32))).toEqual([])
  })

  test('reach models, and no site that is read', async () => {
    expect(model.asked.at(-1)?.headers['traceparent']).toContain(`00-${OF_MODEL}-`)
    await until(() => expect(spansOf(OF_MODEL).map(({ name }) => name)).toContain('fetch for model'))
    expect(headersOfSite.length).toBeGreaterThan(0)
    expect(headersOfSite.every((header) => header === undefined)).toBe(true)
  })

  testOnce('show what a crawl did', async () => {
    await until(() => expect(collector.spans.map(({ name }) => name)).toContain('crawl'))
    const crawl = collector.spans.find(({ name }) => name === 'crawl')
    const within = spansOf(crawl?.traceId ?? '').map(({ name }) => name)
    expect(within).toEqual(expect.arrayContaining(['fetch for crawl', 'parse', 'publish']))
  })

  testOnce('have no question, name, address or key', async () => {
    await call('search_docs', { query: 'quokka' })
    await docent.request('GET', `/api/mcp/${slug}`)
    await until(() => expect(collector.spans.map(({ name }) => name)).toContain('GET /api/mcp/:id'))
    const text = JSON.stringify(collector.spans).toLowerCase()
    for (const secret of [slug, 'quokka', 'owner@example.test', new URL(site.url).host, docent.key])
      expect(text).not.toContain(secret.toLowerCase())
  })
})

test('sends as many traces as the settings ask for, whatever its callers ask for', async () => {
  await using collector = await startCollector()
  const docent = await startDocent({
    environment: { DOCENT_TRACES_URL: `${collector.url}/`, DOCENT_TRACES_SHARE: '0' },
  })
  for (let number = 0; number < 3; number++)
    await fetch(`${docent.url}/api/setup`, { headers: { traceparent: traceparent() } })
  await docent[Symbol.asyncDispose]()
  expect(collector.spans).toEqual([])
})

test('sends what is left when it stops', async () => {
  await using collector = await startCollector()
  const docent = await startDocent({ environment: { DOCENT_TRACES_URL: collector.url } })
  await fetch(`${docent.url}/api/setup`)
  await docent[Symbol.asyncDispose]()
  expect(collector.spans.map(({ name }) => name)).toContain('GET /api/setup')
})
