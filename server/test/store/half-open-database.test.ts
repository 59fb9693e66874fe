import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import type { Db, Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { startSilentProxy } from '../support/database/silent-proxy.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'
import { page, startSite } from '../support/sites/site.ts'

const postgresUrl = inject('postgresUrl')

/** Lets the database measure the time. In a transaction, because a statement alone has ten seconds. */
const sleepIn = (store: Store, seconds: number) =>
  store.transaction((tx) => sql`select pg_sleep(${seconds})`.execute(tx))

describe.skipIf(postgresUrl === '')('connections to PostgreSQL that swallow packets', () => {
  test('end with their queries within fourteen seconds', async () => {
    await using proxy = await startSilentProxy(postgresUrl)
    const open = (url: string) => openStore({ database: { engine: 'postgres', url }, onError: () => {} })
    await using store = await open(proxy.url)
    await using other = await open(postgresUrl)
    const one = (db: Db) => sql`select 1 as one`.execute(db)
    // Several connections, one of them in a transaction, and one that is idle.
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(.1)`.execute(store.read)))
    let isOver = false
    const fourteenSeconds = sleepIn(other, 14).then(() => void (isOver = true))
    const silenced = Promise.withResolvers<void>()
    const inTransaction = store.transaction(async (tx) => {
      await one(tx)
      proxy.silencePresent()
      silenced.resolve()
      await one(tx)
    })
    await silenced.promise
    const refused = { name: 'StoreUnavailableError', outage: 'away' }
    const outcomes = await Promise.allSettled([inTransaction, one(store.read)])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: refused },
    ])
    expect(isOver).toBe(false)
    // Connections that were idle when the proxy fell silent are not used again.
    for (let n = 0; n < 5; n++) expect((await one(store.read)).rows).toEqual([{ one: 1 }])
    await fourteenSeconds
  })

  // It waits for about ten seconds.
  test.runIf(inject('isLong'))(
    'make a node unready meanwhile, which is ready again within fifteen seconds, and searches from memory',
    async () => {
      await using site = await startSite({ '/': page('Quokka', 'The quokka is small and smiles.') })
      await using proxy = await startSilentProxy(postgresUrl)
      await using other = await openStore({ database: { engine: 'postgres', url: postgresUrl }, onError: () => {} })
      const key = await makeOwner({ database: { engine: 'postgres', url: postgresUrl } })
      const environment = {
        DATABASE_URL: proxy.url,
        DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
        DOCENT_SECRET_KEY: 'a-key-for-tests-that-is-long-enough',
        DOCENT_LOG_LEVEL: 'error',
      }
      await using node = await spawnService(environment)
      const readiness = async () => (await fetch(`${node.url}/readyz`)).status
      expect(await readiness()).toBe(200)
      const ask = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const response = await fetch(node.url + path, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        return { status: response.status, body: (await response.json()) as any }
      }
      const { slug } = (await ask('POST', '/api/mcp/create', { name: 'Half', sources: [{ url: `${site.url}/` }] })).body
      const params = { name: 'search_docs', arguments: { query: 'quokka' } }
      const search = async () =>
        resultsIn(
          (await ask('POST', `/api/mcp/${slug}`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result,
        )
      await expect.poll(search).toHaveLength(1)
      let isOver = false
      const fifteenSeconds = sleepIn(other, 15).then(() => void (isOver = true))
      const elevenSeconds = sleepIn(other, 11).then(() => 'eleven seconds')
      proxy.silencePresent()
      const requests = [
        readiness(),
        ask('GET', '/api/mcp/list'),
        ask('PATCH', `/api/mcp/${slug}`, { name: 'Other' }),
        search(),
      ]
      expect(await Promise.race([elevenSeconds, Promise.all(requests)])).toMatchObject([
        503,
        { status: 503 },
        { status: 503 },
        [{}],
      ])
      while ((await readiness()) !== 200) await sleep(20)
      expect(isOver).toBe(false)
      await Promise.all([fifteenSeconds, elevenSeconds])
    },
  )

  test.runIf(inject('isLong'))('are told from connections whose query PostgreSQL runs for eight seconds', async () => {
    await using store = await openStore({ database: { engine: 'postgres', url: postgresUrl }, onError: () => {} })
    const slow = store.transaction((tx) => sql`select 1 as one from pg_sleep(8)`.execute(tx))
    expect((await slow).rows).toEqual([{ one: 1 }])
  })

  test.runIf(inject('isLong'))('keep their locks for fifteen seconds at most', async () => {
    const open = () => openStore({ database: { engine: 'postgres', url: postgresUrl }, onError: () => {} })
    await using paused = await open()
    await using other = await open()
    const table = `locks_${process.pid}`
    await sql`create table ${sql.table(table)} as select 1 as id`.execute(other.write)
    const update = (db: Db) => sql`update ${sql.table(table)} set id = id + 1`.execute(db)
    const [begun, until] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // As a node does that was stopped in the middle.
    const transaction = paused.transaction(async (tx) => {
      await update(tx)
      begun.resolve()
      await until.promise
      await update(tx)
    })
    const ended = expect(transaction).rejects.toMatchObject({ name: 'StoreUnavailableError' })
    await begun.promise
    // A statement waits ten seconds for a lock.
    await update(other.write).catch(() => update(other.write))
    until.resolve()
    await ended
    expect((await sql`select id from ${sql.table(table)}`.execute(other.read)).rows).toEqual([{ id: 2 }])
    await sql`drop table ${sql.table(table)}`.execute(other.write)
  })
})

describe.skipIf(postgresUrl === '')('statements on PostgreSQL', () => {
  const open = () => openStore({ database: { engine: 'postgres', url: postgresUrl }, onError: () => {} })
  const limitOf = async (db: Db) => (await sql`show statement_timeout`.execute(db)).rows[0]

  test('have ten seconds alone and a minute in a transaction', async () => {
    await using store = await open()
    expect(await store.transaction(limitOf)).toEqual({ statementTimeout: '1min' })
    const snapshot = store.read.transaction().setIsolationLevel('repeatable read')
    expect(await snapshot.execute(limitOf)).toEqual({ statementTimeout: '1min' })
    expect(await limitOf(store.read)).toEqual({ statementTimeout: '10s' })
  })

  // It waits for ten seconds.
  test.runIf(inject('isLong'))('end at their limit, as an outage that callers may try again', async () => {
    await using store = await open()
    const sleeping = sql`select pg_sleep(30)`.execute(store.read)
    await expect(sleeping).rejects.toMatchObject({ name: 'StoreUnavailableError', outage: 'busy' })
  })
})
