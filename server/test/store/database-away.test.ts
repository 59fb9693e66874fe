import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { newSecret } from '#auth/secret.ts'
import { openStore } from '#store/engine/open.ts'
import { type ServiceProcess, makeOwner, spawnService } from '../support/service/service-process.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'
import { type ThrowAwayPostgres, startPostgres } from '../support/database/throw-away-postgres.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const SEARCH = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_docs', arguments: { query: 'quokka' } },
}
const AWAY_SENTENCE = 'The database cannot be reached right now. Try again in a few seconds.'
const AWAY = { status: 503, retryAfter: '5', error: 'store_unavailable' }
/** The answer to an MCP request with this id. */
const awayOverMcp = (id: number | string) => ({
  status: 200,
  retryAfter: '5',
  body: {
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: AWAY_SENTENCE, data: { reason: 'store_unavailable', retryAfter: 5 } },
  },
})

describe.skipIf(inject('postgresUrl') === '')('node whose PostgreSQL is unavailable', () => {
  let postgres: ThrowAwayPostgres
  let site: Site
  let environment: Record<string, string>
  let key: string
  let node: ServiceProcess
  beforeAll(async () => {
    const started = await startPostgres()
    if (!started) throw new Error('There is no PostgreSQL')
    postgres = started
    // Not a superuser, because connection limits do not apply to superusers.
    await administer('create role docent_app login')
    await administer('create database docent_app owner docent_app')
    site = await startSite({
      '/': page('Quokka', 'The quokka is small and smiles. A quokka lives on Rottnest Island.'),
    })
    environment = {
      DATABASE_URL: appUrl(),
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_SECRET_KEY: 'a-key-for-tests-that-is-long-enough',
      DOCENT_LOG_LEVEL: 'info',
    }
    key = await makeOwner({ database: { engine: 'postgres', url: appUrl() } })
    node = await spawnService(environment)
    await ask('POST', '/api/mcp/create', { name: 'Small', sources: [{ url: `${site.url}/` }] })
    while ((await detail()).sources[0].crawlStatus !== 'complete') await sleep(100)
  })
  afterAll(async () => {
    await node?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
    await postgres?.stop()
  })
  beforeEach(async () => {
    expect((await search()).found).toBe(1)
  })

  const appUrl = () => postgres.url.replace('docent@', 'docent_app@').replace(/postgres$/, 'docent_app')
  const adminUrl = () => postgres.url.replace(/postgres$/, 'docent_app')
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const send = async (method: string, path: string, body?: object, at = node) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(at.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  }
  const ask = async (...request: Parameters<typeof send>) => {
    const response = await send(...request)
    const body = (await response.json()) as any
    return { status: response.status, retryAfter: response.headers.get('retry-after'), error: body.error, body }
  }
  const detail = async () => (await ask('GET', '/api/mcp/small')).body
  const search = async () => {
    const { status, body } = await ask('POST', '/api/mcp/small', SEARCH)
    return { status, found: body.result && resultsIn(body.result).length }
  }
  const untilBack = async () => {
    while ((await ask('GET', '/readyz')).status !== 200) await sleep(50)
  }

  test('answers searches and refuses the rest with 503 while PostgreSQL hangs, then recovers', async () => {
    postgres.signalAll('SIGSTOP')
    try {
      // Waiting ends, also before the outage has been noticed.
      const [first, searched] = await Promise.all([ask('GET', '/api/mcp/list'), search()])
      expect(first).toMatchObject(AWAY)
      expect(searched).toMatchObject({ status: 200, found: 1 })
      // After the outage was noticed, requests are refused at once: with a wait for each, so many would take minutes.
      for (let n = 0; n < 60; n++) {
        const [listed, again] = await Promise.all([ask('GET', '/api/mcp/list'), search()])
        expect(listed).toMatchObject(AWAY)
        expect(again).toMatchObject({ status: 200, found: 1 })
      }
      expect(await ask('POST', '/api/mcp/create', { name: 'New', sources: [{ url: site.url }] })).toMatchObject(AWAY)
      expect((await send('GET', '/healthz')).status).toBe(200)
    } finally {
      postgres.signalAll('SIGCONT')
    }
    await untilBack()
    expect((await ask('GET', '/api/mcp/list')).body.map(({ name }: { name: string }) => name)).toEqual(['Small'])
  })

  test('exits cleanly on SIGTERM while PostgreSQL hangs', async () => {
    await using other = await spawnService(environment)
    expect((await ask('GET', '/api/mcp/list', undefined, other)).status).toBe(200)
    postgres.signalAll('SIGSTOP')
    try {
      expect(await other.end('SIGTERM')).toBe(0)
    } finally {
      postgres.signalAll('SIGCONT')
    }
    await untilBack()
  })

  test('refuses calls of servers not in memory by an error that says when to try again', async () => {
    await postgres.end('SIGINT')
    try {
      for (const id of [1, 'two'])
        expect(await ask('POST', '/api/mcp/nobody', { ...SEARCH, id })).toMatchObject(awayOverMcp(id))
      // A batch is answered by an error for each request, and what has no id as by the management API.
      const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
      const batch = await ask('POST', '/api/mcp/nobody', [SEARCH, notification, { ...SEARCH, id: 'b' }])
      expect(batch).toMatchObject({ status: 200, body: [awayOverMcp(SEARCH.id).body, awayOverMcp('b').body] })
      expect(batch.body).toHaveLength(2)
      for (const body of [notification, [notification], []])
        expect(await ask('POST', '/api/mcp/nobody', body)).toMatchObject(AWAY)
      expect((await ask('GET', '/readyz')).status).toBe(503)
      expect(await search()).toMatchObject({ status: 200, found: 1 })
    } finally {
      await postgres.begin()
    }
    await untilBack()
  })

  test('refuses calls of the account endpoint by an error that says when to try again, and answers them afterwards', async () => {
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'list_servers', arguments: {} } }
    const listWith = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const response = await fetch(`${node.url}/api/headless/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify(call),
      })
      const body = (await response.json()) as any
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body }
    }
    const unknown = newSecret('dk_live_').plaintext
    expect((await listWith(unknown)).status).toBe(401)
    expect((await listWith(key)).body.result).not.toHaveProperty('isError')
    await postgres.end('SIGINT')
    try {
      // Before the outage is noticed, and after.
      for (let n = 0; n < 3; n++) {
        // A key in memory, and one whose account nobody knows.
        for (const bearer of [key, newSecret('dk_live_').plaintext]) {
          expect(await listWith(bearer)).toEqual(awayOverMcp(7))
        }
      }
    } finally {
      await postgres.begin()
    }
    await untilBack()
    const { status, body } = await listWith(key)
    expect([status, JSON.parse(body.result.content[0].text)[0].slug]).toEqual([200, 'small'])
    expect((await listWith(unknown)).status).toBe(401)
  })

  test('waits for PostgreSQL at startup and logs it', async () => {
    await postgres.end('SIGINT')
    const waits = Promise.withResolvers<void>()
    const starting = spawnService(environment, (piece) => {
      if (piece.includes('the database cannot do its work')) waits.resolve()
    })
    await waits.promise
    await postgres.begin()
    await using other = await starting
    expect(other.logged()).toContain('the database answers again')
    expect((await ask('GET', '/api/mcp/list', undefined, other)).status).toBe(200)
    expect(await other.end('SIGTERM')).toBe(0)
    await untilBack()
  })

  test('exits with the reason when its login is refused', async () => {
    const url = new URL(postgres.url)
    url.pathname = '/nowhere'
    const waitUntil = new AbortController().signal
    const opening = openStore({ database: { engine: 'postgres', url: url.href }, onError: () => {}, waitUntil })
    await expect(opening).rejects.toThrow(/^The database at 127\.0\.0\.1:\d+ .*database "nowhere" does not exist$/)
  })

  test('answers 503 while PostgreSQL has no connection left, then recovers', async () => {
    await administer('alter role docent_app connection limit 0')
    await administer(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'docent_app'`)
    try {
      // The first request can still get one of the connections that were ended.
      await vi.waitFor(
        async () => {
          const refused = await ask('GET', '/api/mcp/list')
          expect(refused).toMatchObject(AWAY)
          expect(refused.body.message).toBe('The database has too much to do right now. Try again in a few seconds.')
        },
        { timeout: 20_000, interval: 100 },
      )
      expect(await search()).toMatchObject({ status: 200, found: 1 })
    } finally {
      await administer('alter role docent_app connection limit -1')
    }
    await untilBack()
    // For a second after the last refusal, the pool opens no further connection.
    await vi.waitFor(async () => expect((await ask('GET', '/api/mcp/list')).status).toBe(200), 5_000)
  })

  test('answers 503 while all connections are in use, then recovers', async () => {
    const blocker = new pg.Client({ connectionString: adminUrl() })
    await blocker.connect()
    await blocker.query('begin; lock table api_keys in access exclusive mode')
    try {
      const asked = await Promise.all(Array.from({ length: 40 }, () => ask('GET', '/api/mcp/list')))
      for (const one of asked) expect(one).toMatchObject(AWAY)
    } finally {
      await blocker.end()
    }
    await untilBack()
    expect((await ask('GET', '/api/mcp/list')).status).toBe(200)
  })
})
