import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseEndpoint } from '#store/engine/open.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

/** Internal addresses that a site redirects to. No message to users may repeat them. */
const INSIDE = ['http://10.1.2.3/secret', 'http://10.1.2.3:25/', 'http://user:pw@10.1.2.3/', 'ftp://10.1.2.3/']
const SENTENCE = 'The address leads to a private or internal network, which is not fetched.'

describe('private network address', () => {
  let docent: Docent
  let site: Server
  /** Each test has its own host, because failures slow later requests to a host down. */
  let originAt = (_: number) => ''

  beforeAll(async () => {
    docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
    site = createServer(({ url = '/' }, response) => {
      const [, way = '', number = ''] = url.split('/')
      if (way === 'robots.txt') return response.writeHead(404).end()
      if (way === 'to') return response.writeHead(302, { location: INSIDE[Number(number)] ?? '/' }).end()
      if (way === 'own') return response.writeHead(302, { location: `${docent.url}/healthz` }).end()
      if (url === '/docs/raw') {
        const location = Buffer.from('/docs/größe').toString('latin1')
        return response.writeHead(301, { location }).end()
      }
      if (url === '/docs/gr%C3%B6%C3%9Fe') {
        return response.end('<title>Sizes</title><main><h1>Sizes</h1><p>All sizes are told in points.</p></main>')
      }
      const links = [0, 1, 2, 3].map((n) => `<a href="/docs/to/${n}">${n}</a>`).join(' ')
      if (url.startsWith('/docs/to/')) {
        return response.writeHead(302, { location: INSIDE[Number(url.at(-1))] ?? '/' }).end()
      }
      response.setHeader('content-type', 'text/html')
      return response.end(
        `<title>Start</title><main><h1>Start</h1><p>Begin here.</p>${links} <a href="/docs/raw">raw</a></main>`,
      )
    }).listen(0, '0.0.0.0')
    await new Promise((resolve) => site.once('listening', resolve))
    const { port } = site.address() as AddressInfo
    originAt = (n) => `http://127.0.1.${n}:${port}`
  })
  afterAll(async () => {
    await docent[Symbol.asyncDispose]()
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })

  const detect = (url: string) => docent.request('POST', '/api/sources/detect', { url })
  const create = (urls: string[], type?: string) =>
    docent.request('POST', '/api/mcp/create', { name: 'A', sources: urls.map((url) => ({ url, type })) })

  test.each(INSIDE.map((to, n) => [to, n] as const))(
    'does not repeat a private address in source detection redirected to %s',
    async (_, n) => {
      const { text } = await detect(`${originAt(1)}/to/${n}`)
      expect(text).not.toContain('10.1.2.3')
    },
  )

  test.each(['website', 'pdf'])('does not repeat a private address in the crawl error of a %s', async (type) => {
    const { body } = await create(
      INSIDE.map((_, n) => `${originAt(10 + n)}/to/${n}`),
      type,
    )
    const server = await docent.untilDone(body.serverId)
    expect(server.sources.map(({ crawlStatus }: { crawlStatus: string }) => crawlStatus)).toEqual(
      INSIDE.map(() => 'error'),
    )
    expect(JSON.stringify(server)).not.toContain('10.1.2.3')
    const progress = await docent.request('GET', `/api/mcp/${body.serverId}/pages`)
    expect(progress.text).not.toContain('10.1.2.3')
  })

  test('reports every private address by the same sentence', async () => {
    const { body } = await create([`${originAt(2)}/to/0`], 'pdf')
    const { sources } = await docent.untilDone(body.serverId)
    expect(sources[0].crawlError).toContain(SENTENCE)
  })

  test('repeats no private address in the page report and loses no page to a raw UTF-8 Location', async () => {
    const origin = originAt(3)
    const { body } = await create([`${origin}/docs/`], 'docs')
    await docent.untilDone(body.serverId)
    const pages = await docent.request('GET', `/api/mcp/${body.serverId}/pages`)
    expect(pages.text).not.toContain('10.1.2.3')
    const urls = pages.body.pages.map(({ url, state }: { url: string; state: string }) => `${state} ${url}`)
    expect(urls).toContain(`indexed ${origin}/docs/gr%C3%B6%C3%9Fe`)
    expect(urls).toContain(`skipped ${origin}/docs/to/0`)
  })

  test('refuses the service itself as a source, under any name or redirect', async () => {
    const { port } = new URL(docent.url)
    for (const host of ['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]']) {
      for (const path of ['/', '/healthz', '/api/mcp/some-server']) {
        const url = `http://${host}:${port}${path}`
        expect(await detect(url), url).toMatchObject({ status: 400 })
        expect(await create([url]), url).toMatchObject({ status: 400 })
      }
    }
    expect((await detect(`${originAt(4)}/own`)).body).toMatchObject({ reachable: false })
  })
})

test.skipIf(inject('postgresUrl') === '')('refuses its own database as a source', async () => {
  await using docent = await startDocent({ engine: 'postgres' })
  if (docent.place.database.engine !== 'postgres') throw new Error('not on PostgreSQL')
  const at = databaseEndpoint(docent.place.database)
  const attempt = (port: number) =>
    docent.request('POST', '/api/mcp/create', { name: 'A', sources: [{ url: `http://127.0.0.1:${port}/` }] })
  expect((await attempt(at?.port ?? 0)).status).toBe(400)
  expect((await attempt(49_151)).status).toBe(200)
})
