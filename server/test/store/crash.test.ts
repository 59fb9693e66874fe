import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { type Place, makePlace, onBothEngines, onSqliteAtLeast } from '../support/database/engines.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'
import { page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const PAGES = inject('isLong') ? 150 : 80
/** Milliseconds after which the service is killed. Each start costs a second of processor time. */
const LIFETIMES = inject('isLong') ? [0, 250, 400, 700] : [0, 500]
/** A word that occurs on one page only. */
const word = (n: number) => `quokka${n}x`

// On PostgreSQL, `npm test` restarts the database during a crawl instead (`database-restarts.test.ts`).
onSqliteAtLeast('service killed during a crawl', (engine) => {
  test('loses no acknowledged write and stores nothing twice', async () => {
    const links = Array.from({ length: PAGES }, (_, n) => `/p${n}`)
    await using site = await startSite({ '/': page('Start', 'Where everything starts and nothing ends.', links) })
    // Slow enough for several kills during the crawl.
    for (const [n, path] of links.entries()) {
      const html = page(`Page ${n}`, `Here lives the ${word(n)}, and nowhere else in the world.`)
      site.pages.set(
        path,
        (_, response) => void setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html), 60),
      )
    }
    await using place = await makePlace(engine)
    const key = await makeOwner(place)
    const environment = environmentOf(place)
    const ask = (url: string, method: string, path: string, body?: object) => send(key, url + path, method, body)

    let settled = 0
    for (const lifetime of LIFETIMES) {
      await using service = await spawnService(environment)
      if (lifetime === 0)
        await ask(service.url, 'POST', '/api/mcp/create', { name: 'Site', sources: [{ url: `${site.url}/` }] })
      await sleep(lifetime)
      const progress = await ask(service.url, 'GET', '/api/mcp/site/crawl-next')
      expect(progress.sources[0].pagesIndexed).toBeGreaterThanOrEqual(settled)
      settled = progress.sources[0].pagesIndexed
      await service.end('SIGKILL')
      if (engine === 'postgres') await expireLeases(place)
    }
    await using service = await spawnService(environment)
    let status = 'crawling'
    for (; status === 'crawling'; await sleep(50))
      status = (await ask(service.url, 'GET', '/api/mcp/site/crawl-next')).status

    const { sources } = await ask(service.url, 'GET', '/api/mcp/site')
    expect(sources[0]).toMatchObject({
      crawlStatus: 'complete',
      pagesDiscovered: PAGES + 1,
      pagesIndexed: PAGES + 1,
      pagesFailed: 0,
    })
    for (let n = 0; n < PAGES; n += 7) {
      const params = { name: 'search_docs', arguments: { query: word(n), limit: 10 } }
      const { result } = await ask(service.url, 'POST', '/api/mcp/site', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params,
      })
      expect(resultsIn(result).map(({ url }) => url)).toEqual([expect.stringContaining(`/p${n}`)])
    }
    // Pages settled before a kill are not fetched again; the current batch may be.
    const fetches = site.requests.filter(({ path }) => path.startsWith('/p')).length
    expect(fetches).toBeLessThan(PAGES + LIFETIMES.length * 64)
    expect(await service.end('SIGTERM')).toBe(0)
  })
})

onBothEngines('service killed during changes', (engine) => {
  test('keeps every change with its entry in the audit log, or neither', async () => {
    await using place = await makePlace(engine)
    const key = await makeOwner(place)
    for (const changes of [20, 45]) {
      await using service = await spawnService(environmentOf(place))
      let made = 0
      const kill = Promise.withResolvers<void>()
      const change = async () => {
        for (;;) {
          const { id } = await send(key, `${service.url}/api/keys`, 'POST', { name: 'Loop' })
          await send(key, `${service.url}/api/keys/${id}`, 'DELETE')
          if (++made === changes) kill.resolve()
        }
      }
      const loops = Promise.allSettled(Array.from({ length: 20 }, change))
      await kill.promise
      await service.end('SIGKILL')
      await loops
    }
    await using store = await openStore({ database: place.database, onError: () => {} })
    const keys = store.read.selectFrom('apiKeys').select('id').where('name', '=', 'Loop')
    const entries = store.read.selectFrom('auditEntries').select('thingId as id')
    const idsOf = async (query: { execute(): Promise<{ id: string | null }[]> }) =>
      new Set((await query.execute()).map(({ id }) => id))
    const differences = async () => [
      ...(await idsOf(keys)).symmetricDifference(await idsOf(entries.where('action', '=', 'keys.create'))),
      ...(await idsOf(keys.where('revokedAt', 'is not', null))).symmetricDifference(
        await idsOf(entries.where('action', '=', 'keys.revoke')),
      ),
    ]
    // A database server can end the last commit of a killed client a moment later.
    await expect.poll(differences).toEqual([])
    expect((await keys.execute()).length).toBeGreaterThanOrEqual(65)
  })
})

const environmentOf = ({ dataDir, database }: Place) => ({
  DOCENT_DATA_DIR: dataDir,
  DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
  ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
})

async function send(key: string, url: string, method: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  return (await response.json()) as any
}

/** On PostgreSQL another node may be alive, so jobs of a dead one are only taken over when their leases expire. */
async function expireLeases({ database }: Place) {
  await using store = await openStore({ database, onError: () => {} })
  await store.write.updateTable('jobs').set({ leaseUntil: 1 }).where('state', '=', 'running').execute()
}
