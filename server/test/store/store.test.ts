import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { changePlan, createAccount, createKey, ensureOperator } from '#auth/accounts.ts'
import { findKeyHolder } from '#auth/authenticate.ts'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { claim } from '#store/jobs/claim.ts'
import { enqueue, finish, renew, retryLater } from '#store/jobs/queue.ts'
import { migrate } from '#store/migrations/migrate.ts'
import { sql } from 'kysely'
import { inLeasedTransaction, LeaseLost } from '#jobs/lease.ts'
import { openStore } from '#store/engine/open.ts'
import { makePlace, makeStore, onBothEngines } from '../support/database/engines.ts'

onBothEngines('store', (engine) => {
  test('changes nothing on a second migration and refuses data of another version', async () => {
    await using store = await makeStore(engine)
    await migrate(store)
    await sql`update schema_version set version = 999`.execute(store.write)
    await expect(migrate(store)).rejects.toThrow('written by a newer version of Docent (schema 999')
    await sql`update schema_version set version = 34`.execute(store.write)
    await expect(migrate(store)).rejects.toThrow('older development version of Docent (schema 34')
    expect(await sql`select version from schema_version`.execute(store.write)).toMatchObject({
      rows: [{ version: 34 }],
    })
  })

  test.runIf(engine === 'sqlite').each([
    { written: 14, kept: 15 },
    { written: 24, kept: 16 },
  ])('leaves $kept MB of the log of a write of $written MB', async ({ written, kept }) => {
    await using place = await makePlace(engine, { isEmpty: true })
    await using store = await openStore({ database: place.database, onError: () => {} })
    const log = join(place.dataDir, 'docent.sqlite-wal')
    const size = () => Math.round(statSync(log).size / 1e6)
    await sql`create table notes (text blob)`.execute(store.write)
    await sql`insert into notes values (zeroblob(${written * 1_000_000}))`.execute(store.write)
    expect(size()).toBeGreaterThanOrEqual(written)
    await sql`pragma wal_checkpoint(restart)`.execute(store.read)
    await sql`insert into notes values (zeroblob(1))`.execute(store.write)
    expect(size()).toBe(kept)
  })

  test.runIf(engine === 'sqlite')('empties the log without blocking while another process reads', async () => {
    await using place = await makePlace(engine)
    await using store = await openStore({ database: place.database, onError: () => {} })
    await using reader = await openStore({ database: place.database, onError: () => {} })
    const log = join(place.dataDir, 'docent.sqlite-wal')
    let scrubbing = Promise.resolve()
    await reader.read.connection().execute(async (db) => {
      await sql`begin`.execute(db)
      await sql`select count(*) from accounts`.execute(db)
      await enqueue(store.write, 'purge', { serverId: 'srv_1' })
      scrubbing = store.scrub()
      await sleep(50)
      expect(statSync(log).size).toBeGreaterThan(0)
      await sql`rollback`.execute(db)
    })
    await scrubbing
    expect(statSync(log).size).toBe(0)
  })

  test('rolls back a transaction that throws', async () => {
    await using store = await makeStore(engine)
    const failing = store.transaction(async (tx) => {
      await enqueue(tx, 'purge', { serverId: 'srv_1' })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await claim(store, Date.now())).toBeUndefined()
  })

  test('reads without seeing or waiting for an open transaction', async () => {
    await using store = await makeStore(engine)
    let seen: unknown[] = ['not read']
    await store.transaction(async (tx) => {
      await enqueue(tx, 'purge', { serverId: 'srv_1' })
      seen = await store.read.selectFrom('jobs').select('id').execute()
    })
    expect(seen).toEqual([])
  })

  test('serialises concurrent transactions', async () => {
    await using store = await makeStore(engine)
    const add = () =>
      store.transaction(async (tx) => {
        await enqueue(tx, 'purge', { serverId: 'srv_1' })
        await sleep(1)
        return enqueue(tx, 'purge', { serverId: 'srv_1' })
      })
    await Promise.all(Array.from({ length: 8 }, add))
    const { jobs } = await store.read
      .selectFrom('jobs')
      .select(sql<number>`count(*)`.as('jobs'))
      .executeTakeFirstOrThrow()
    expect(jobs).toBe(16)
  })
})

onBothEngines('accounts and keys', (engine) => {
  test('makes the first account the unlimited operator and gives later ones the requested plan', async () => {
    await using store = await makeStore(engine)
    await createAccount(store, { email: 'One@example.test', password: null, plan: 'free' })
    await createAccount(store, { email: 'two@example.test', password: 'long enough to use', plan: 'free' })
    const plans = await store.read
      .selectFrom('accounts')
      .select(['email', 'plan', 'isOperator'])
      .orderBy('email')
      .execute()
    expect(plans.map((row) => ({ ...row }))).toEqual([
      { email: 'one@example.test', plan: 'unlimited', isOperator: 1 },
      { email: 'two@example.test', plan: 'free', isOperator: 0 },
    ])
    await changePlan(store, { email: 'two@example.test', plan: 'core' })
    const again = createAccount(store, { email: 'ONE@example.test', password: null, plan: 'free' })
    await expect(again).rejects.toThrow('There is an account for one@example.test already.')
  })

  test.each(['no-address', 'a b@example.test', '@x', ''])('refuses %j as an email address', async (email) => {
    await using store = await makeStore(engine)
    await expect(createAccount(store, { email, password: null, plan: 'free' })).rejects.toThrow('not an email address')
  })

  test('requires ten characters of a password', async () => {
    await using store = await makeStore(engine)
    const make = (password: string) => createAccount(store, { email: 'a@example.test', password, plan: 'free' })
    await expect(make('brass-owl')).rejects.toThrow('at least 10 characters')
    await expect(make('brass-owls')).resolves.toHaveProperty('id')
  })

  test('authenticates the account of a key, and refuses a typo, unknown and revoked keys alike', async () => {
    await using store = await makeStore(engine)
    const { id } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const key = await createKey(store, { email: 'a@example.test', name: 'Test' })
    expect(await findKeyHolder(store.read, `Bearer ${key}`)).toMatchObject({ accountId: id, serverIds: null })
    const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    for (const refused of [null, '', key, `Basic ${key}`, `Bearer ${typo}`, `Bearer dk_live_${'x'.repeat(36)}`]) {
      expect(await findKeyHolder(store.read, refused)).toBeNull()
    }
    await store.write.updateTable('apiKeys').set({ revokedAt: 1 }).execute()
    expect(await findKeyHolder(store.read, `Bearer ${key}`)).toBeNull()
  })

  test('creates one operator when several nodes start together', async () => {
    await using store = await makeStore(engine)
    const operator = { email: 'ada@example.test', password: 'correct horse' }
    const made = await Promise.all([1, 2, 3].map(() => ensureOperator(store, operator)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await ensureOperator(store, { email: 'eve@example.test', password: 'another horse' })).toBe(false)
    const accounts = await store.read.selectFrom('accounts').select(['email', 'isOperator']).execute()
    expect(accounts).toEqual([{ email: 'ada@example.test', isOperator: 1 }])
  })

  test('cannot scope a key to a server that the account does not have', async () => {
    await using store = await makeStore(engine)
    await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const making = createKey(store, { email: 'a@example.test', name: 'Test', serverIds: ['srv_none'] })
    await expect(making).rejects.toThrow('no server with this id: srv_none')
  })
})

onBothEngines('job queue', (engine) => {
  test('gives out a job once, however many claim concurrently', async () => {
    await using store = await makeStore(engine)
    for (let n = 0; n < 20; n++) await enqueue(store.write, 'purge', { serverId: `srv_${n}` })
    const claims = await Promise.all(Array.from({ length: 60 }, () => claim(store, Date.now())))
    // A claim on PostgreSQL may return nothing for a moment; the test checks that no job is given out twice.
    const ids = claims.flatMap((job) => job?.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    for (let job = await claim(store, Date.now()); job; job = await claim(store, Date.now())) ids.push(job.id)
    expect(new Set(ids).size).toBe(20)
    expect(ids).toHaveLength(20)
  })

  test('lets an expired lease be claimed again and fences off its first holder', async () => {
    await using store = await makeStore(engine)
    await enqueue(store.write, 'purge', { serverId: 'srv_1' })
    const now = Date.now()
    const first = await claim(store, now)
    expect(await claim(store, now + 29_000)).toBeUndefined()
    const second = await claim(store, now + 31_000)
    expect(second).toMatchObject({ id: first?.id, fence: 2, attempts: 2 })
    if (!first || !second) throw new Error('not claimed')
    expect(await renew(store.write, first, now)).toBe(false)
    await finish(store.write, first, 'done')
    expect(await renew(store.write, second, now + 31_000)).toBe(true)
    await finish(store.write, second, 'done')
    expect(await claim(store, now + 90_000)).toBeUndefined()
  })

  test('rejects writes of a crawl that has lost its lease', async () => {
    await using store = await makeStore(engine)
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' })
    const now = Date.now()
    const first = await claim(store, now)
    const second = await claim(store, now + 31_000)
    if (!first || !second) throw new Error('not claimed')
    const write = (serverId: string) => (tx: typeof store.write) => enqueue(tx, 'purge', { serverId })
    await expect(inLeasedTransaction(store, first)(write('srv_late'))).rejects.toBeInstanceOf(LeaseLost)
    expect(await inLeasedTransaction(store, second)(write('srv_1'))).toBe(true)
    const jobs = await store.read.selectFrom('jobs').select('payload').where('kind', '=', 'purge').execute()
    expect(jobs).toEqual([{ payload: '{"serverId":"srv_1"}' }])
  })

  test('delays a job that is put back and adds no other one with its key', async () => {
    await using store = await makeStore(engine)
    const now = Date.now()
    expect(await enqueue(store.write, 'purge', { serverId: 'srv_1' }, { dedupeKey: 'a', runAt: now })).toBe(true)
    expect(await enqueue(store.write, 'purge', { serverId: 'srv_1' }, { dedupeKey: 'a' })).toBe(false)
    const job = await claim(store, now)
    if (!job) throw new Error('not claimed')
    await retryLater(store.write, job, now + 5_000, 'broken')
    expect(await enqueue(store.write, 'purge', { serverId: 'srv_1' }, { dedupeKey: 'a' })).toBe(false)
    expect(await claim(store, now + 4_999)).toBeUndefined()
    const again = await claim(store, now + 5_000)
    expect(again?.id).toBe(job.id)
    if (again) await finish(store.write, again, { error: 'gave up' })
    expect(await enqueue(store.write, 'purge', { serverId: 'srv_1' }, { dedupeKey: 'a' })).toBe(true)
  })
})

onBothEngines('rate limits', (engine) => {
  const windowMs = 60_000
  test('holds the limit in every span of the window, also across a boundary', async () => {
    await using store = await makeStore(engine)
    const start = Date.now()
    const take = (after: number) => takeFromWindow(store, { key: 'k', limit: 3, windowMs, now: start + after })
    expect([await take(0), await take(59_000), await take(59_500)]).toEqual([0, 0, 0])
    expect(await take(59_900)).toBe(100)
    expect(await take(60_000)).toBe(0)
    expect(await take(60_001)).toBe(58_999)
  })

  test('admits exactly the limit of concurrent requests', async () => {
    await using store = await makeStore(engine)
    const takes = Array.from({ length: 25 }, () => takeFromWindow(store, { key: 'k', limit: 10, windowMs, now: 1e12 }))
    expect((await Promise.all(takes)).filter((wait) => wait === 0)).toHaveLength(10)
  })
})
