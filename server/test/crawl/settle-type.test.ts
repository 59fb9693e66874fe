import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { NOWHERE, account, world } from '../support/indexing/source-world.ts'

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Gadgets', version: '1' },
  paths: { '/gadgets': { get: { summary: 'List the gadgets', responses: { 200: { description: 'All' } } } } },
})

/** Nothing listens here either. A failed host is only retried later, so tests use different ones. */
const ELSEWHERE = 'http://127.0.3.1:19151'

onSqliteAtLeast('source without a given kind', (engine) => {
  const at = world(engine)

  test('detects the kind when the source is first indexed and shows the reason', async () => {
    at.site.pages.set(
      '/spec',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(DESCRIPTION),
    )
    const address = `${at.site.url}/spec`
    const { detail, untilDone } = await account(at, { sources: [{ url: address }] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([
      { type: 'api', typeReason: 'API: its content is OpenAPI.', crawlStatus: 'complete', pagesIndexed: 2 },
    ])
  })

  test('treats an address with a credential as an MCP server unless it suggests another kind', async () => {
    const { add, as } = await account(at)
    const auth = { secret: 'x' }
    expect((await add({ url: `${ELSEWHERE}/tools`, auth })).body).toMatchObject({ type: 'mcp', hasCredential: true })
    expect((await add({ url: `${ELSEWHERE}/docs/`, auth })).body).toMatchObject({ type: 'mcp', hasCredential: true })
    const sources = [{ url: `${ELSEWHERE}/tools`, auth }]
    const { body } = await as('POST', '/api/mcp/create', { name: 'A', sources })
    expect((await as('GET', `/api/mcp/${body.slug}`)).body.sources).toMatchObject([
      { type: 'mcp', hasCredential: true },
    ])
    const refused = await add({ url: `${ELSEWHERE}/manual.pdf`, auth })
    expect([refused.status, refused.body.error]).toEqual([400, 'Only MCP sources can carry credentials.'])
  })

  test('recognises the endpoint of another Docent as an MCP server', async () => {
    await using other = await startDocent()
    const sources = [{ url: `${at.site.url}/a`, type: 'website' }]
    const { url, slug } = (await other.request('POST', '/api/mcp/create', { name: 'Fruit', sources })).body
    await other.untilDone(slug)
    const { add, untilDone, detail } = await account(at)
    expect((await add({ url })).body.type).toBe('mcp')
    await untilDone()
    expect((await detail()).sources[1]).toMatchObject({ type: 'mcp', crawlStatus: 'complete' })
  })

  test.each(['127.0.0.1', 'localhost', 'docs.localhost', '[::1]', '127.1.2.3', '0.0.0.0'])(
    'refuses an endpoint of this service at %s with an explanation',
    async (host) => {
      const { add, as, server } = await account(at)
      const { port, pathname } = new URL(server.url)
      const url = `http://${host}:${port}${pathname}`
      const message =
        'This is an address of this service itself, which it does not fetch. Add what that server answers from instead.'
      const error = 'That URL points to a private or internal network address which cannot be indexed.'
      for (const refused of [await add({ url }), await as('POST', '/api/sources/detect', { url })]) {
        expect([refused.status, refused.body]).toEqual([400, { error, message }])
      }
      const made = await as('POST', '/api/mcp/create', { name: 'A', sources: [{ url }] })
      expect([made.status, made.body]).toEqual([
        400,
        {
          error: `These URLs point to private or internal network addresses and cannot be indexed: ${url}`,
          message,
        },
      ])
    },
  )

  test('detects nothing when a kind is given', async () => {
    const source = { url: `${at.site.url}/a`, type: 'website' as const }
    const { detail, untilDone } = await account(at, { sources: [source] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([{ type: 'website', typeReason: null, crawlStatus: 'complete' }])
  })

  test('keeps the kind that the address suggests until the source can be reached', async () => {
    const { detail, untilDone } = await account(at, { sources: [{ url: `${NOWHERE}/docs/` }] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([{ type: 'docs', typeReason: null }])
  })
})
