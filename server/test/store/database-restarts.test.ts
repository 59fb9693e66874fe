import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { type ServiceProcess, makeOwner, spawnService } from '../support/service/service-process.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'
import { type ThrowAwayPostgres, startPostgres } from '../support/database/throw-away-postgres.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const PAGES = inject('isLong') ? 150 : 60
/** Slow enough for several restarts during the crawl. */
const PAGE_MS = 150
const ENDS = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const
const RESTARTS = inject('isLong') ? [...ENDS, ...ENDS, ...ENDS, ...ENDS] : ENDS
const SEARCH = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_docs', arguments: { query: 'quokka' } },
}

describe.skipIf(inject('postgresUrl') === '')('nodes whose PostgreSQL restarts', () => {
  let postgres: ThrowAwayPostgres
  let site: Site
  let environment: Record<string, string>
  let key: string
  beforeAll(async () => {
    // Committed data must survive a killed server.
    const started = await startPostgres(['synchronous_commit=on'])
    if (!started) throw new Error('There is no PostgreSQL')
    postgres = started
    const links = Array.from({ length: PAGES }, (_, n) => `/p${n}`)
    site = await startSite({})
    const add = (path: string, html: string) =>
      site.pages.set(path, (_, answer) => {
        setTimeout(() => answer.writeHead(200, { 'content-type': 'text/html' }).end(html), PAGE_MS)
      })
    add('/', page('Start', 'Where everything starts and nothing ends.', links))
    for (const [n, path] of links.entries())
      add(path, page(`Page ${n}`, `Here lives the quokka${n}x, and nowhere else in the world.`))
    site.pages.set('/small', page('Quokka', 'The quokka is small and smiles. A quokka lives on Rottnest Island.'))
    environment = {
      DATABASE_URL: postgres.url,
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_RATE_LIMITS: 'off',
      DOCENT_LOG_LEVEL: 'info',
    }
    key = await makeOwner({ database: { engine: 'postgres', url: postgres.url } })
  })
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await postgres?.stop()
  })

  const ask = async ({ url }: ServiceProcess, method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  const untilIndexed = (node: ServiceProcess, slug: string) =>
    expect
      .poll(async () => (await ask(node, 'GET', `/api/mcp/${slug}`)).body.sources?.[0]?.crawlStatus, { interval: 100 })
      .toBe('complete')

  test('answers again after restarts, loses no job or call, and repeats nothing', { timeout: 180_000 }, async () => {
    await using stack = new AsyncDisposableStack()
    const nodes = [stack.use(await spawnService(environment)), stack.use(await spawnService(environment))] as const
    await ask(nodes[0], 'POST', '/api/mcp/create', { name: 'Small', sources: [{ url: `${site.url}/small` }] })
    await untilIndexed(nodes[0], 'small')
    for (const node of nodes)
      expect(resultsIn((await ask(node, 'POST', '/api/mcp/small', SEARCH)).body.result)).not.toEqual([])
    await ask(nodes[0], 'POST', '/api/mcp/create', { name: 'Big', sources: [{ url: `${site.url}/` }] })

    const answers = new Map<string, number>()
    let searched = nodes.length
    const over = new AbortController()
    stack.defer(() => over.abort())
    const load = nodes.flatMap((node) => [
      (async () => {
        for (; !over.signal.aborted; await sleep(80)) {
          const { status, body } = await ask(node, 'POST', '/api/mcp/small', SEARCH)
          if (status === 200) searched += 1
          const what = `search ${status} ${body.result?.isError ? 'failed' : (body.error?.message ?? '')}`.trim()
          answers.set(what, (answers.get(what) ?? 0) + 1)
        }
      })(),
      (async () => {
        for (; !over.signal.aborted; await sleep(80)) {
          const { status, headers, body } = await ask(node, 'GET', '/api/mcp/list')
          const what = `list ${status} ${body.error ?? ''} ${headers.get('retry-after') ?? ''}`.trim()
          answers.set(what, (answers.get(what) ?? 0) + 1)
        }
      })(),
    ])
    for (const signal of RESTARTS) {
      await postgres.end(signal)
      await sleep(300)
      await postgres.begin()
      for (const node of nodes) while ((await ask(node, 'GET', '/readyz')).status !== 200) await sleep(20)
      await sleep(700)
    }
    await untilIndexed(nodes[1], 'big')
    over.abort()
    expect(await Promise.allSettled(load)).toEqual(load.map(() => ({ status: 'fulfilled', value: undefined })))
    // The only answers are 200 and a 503 with Retry-After. Searches need only what is in memory.
    expect([...answers.keys()].toSorted()).toEqual(['list 200', 'list 503 store_unavailable 5', 'search 200'])

    const { body } = await ask(nodes[0], 'GET', '/api/mcp/big')
    expect(body.sources[0]).toMatchObject({
      crawlStatus: 'complete',
      pagesDiscovered: PAGES + 1,
      pagesIndexed: PAGES + 1,
      pagesFailed: 0,
    })
    // Each restart may repeat the current batch, but no more.
    expect(site.requests.filter(({ path }) => path.startsWith('/p')).length).toBeLessThan(PAGES + RESTARTS.length * 64)
    for (const node of nodes) expect(await node.end('SIGTERM')).toBe(0)

    await using store = await openStore({ database: { engine: 'postgres', url: postgres.url }, onError: () => {} })
    expect(await store.read.selectFrom('jobs').selectAll().execute()).toEqual([])
    const { calls } = await store.read
      .selectFrom('callHours')
      .select((is) => is.fn.sum<number>('calls').as('calls'))
      .where('tool', '=', 'search_docs')
      .executeTakeFirstOrThrow()
    const { rows } = await store.read
      .selectFrom('calls')
      .select((is) => is.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    const { counted } = await store.read.selectFrom('monthlyCalls').select('calls as counted').executeTakeFirstOrThrow()
    expect({ calls, rows, counted }).toEqual({ calls: searched, rows: searched, counted: searched })
  })
})
