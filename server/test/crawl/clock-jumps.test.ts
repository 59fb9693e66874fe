import { afterEach, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { createAccount } from '#auth/accounts.ts'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { authenticateSession, openSession } from '#auth/sessions.ts'
import { LEASE_MS } from '#store/jobs/job.ts'
import { claim } from '#store/jobs/claim.ts'
import { enqueue, healClock } from '#store/jobs/queue.ts'
import { refreshDue } from '#jobs/enqueue-ingest.ts'
import { healTokens } from '#store/accounts/heal-tokens.ts'
import { type LoggedAttempt, findDelivery, healDeliveries, insertDelivery } from '#store/webhooks/deliveries.ts'
import { createPacer } from '#net/pacing.ts'
import type { Store } from '#store/db.ts'
import { insertServer } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'

const DAY_MS = 24 * 60 * 60 * 1000

afterEach(() => void vi.useRealTimers())

onBothEngines('database clock set back by days', (engine) => {
  const shiftJobs = (store: Store, ms: number) =>
    store.write
      .updateTable('jobs')
      .set((is) => ({
        runAt: is('runAt', '+', ms),
        updatedAt: is('updatedAt', '+', ms),
        leaseUntil: is('leaseUntil', '+', ms),
      }))
      .execute()

  test('runs jobs that were queued before the clock was set back', async () => {
    await using store = await makeStore(engine)
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' })
    await shiftJobs(store, 3 * DAY_MS)
    expect(await claim(store)).toBeUndefined()
    await healClock(store.write, await store.now())
    expect(await claim(store)).toMatchObject({ kind: 'ingest', attempts: 1 })
  })

  test('frees the jobs of a node that has been gone for longer than a lease', async () => {
    await using store = await makeStore(engine)
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' })
    await claim(store)
    await shiftJobs(store, 3 * DAY_MS)
    const now = await store.now()
    await healClock(store.write, now)
    expect(await claim(store, now + LEASE_MS - 1)).toBeUndefined()
    expect(await claim(store, now + LEASE_MS + 1)).toMatchObject({ attempts: 2 })
  })

  test('leaves scheduled jobs and valid leases alone', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' })
    await claim(store)
    await enqueue(store.write, 'purge', { serverId: 'srv_1' }, { runAt: now + 30 * DAY_MS })
    const before = await store.read.selectFrom('jobs').selectAll().orderBy('id').execute()
    await healClock(store.write, now)
    expect(await store.read.selectFrom('jobs').selectAll().orderBy('id').execute()).toEqual(before)
  })

  test('does not block callers for days and still limits them', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    const take = (at: number) => takeFromWindow(store, { key: 'k', limit: 2, windowMs: 60_000, now: at })
    expect([await take(now + 3 * DAY_MS), await take(now + 3 * DAY_MS)]).toEqual([0, 0])
    expect(await take(now + 3 * DAY_MS)).toBeGreaterThan(0)
    expect([await take(now), await take(now)]).toEqual([0, 0])
    expect(await take(now)).toBe(60_000)
    expect(await take(now + 60_000)).toBe(0)
  })

  test('retries a delivery after its wait, whose beginning was in the future, and leaves other waits', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const webhookId = 'whk_1'
    await sql`insert into webhooks (id, account_id, url, name, events, sealed_secret, enabled, failures, dropped,
      created_at, updated_at) values (${webhookId}, ${accountId}, 'x', 'x', '[]', 'x', 1, 0, 0, 0, 0)`.execute(
      store.write,
    )
    const add = async (log: LoggedAttempt[], createdAt: number, nextAt: number) => {
      const about = { webhookId, accountId, serverId: null, type: 'server.indexed', body: '{}' }
      const { id } = await insertDelivery(store.write, about, createdAt)
      await store.write
        .updateTable('webhookDeliveries')
        .set({ log: JSON.stringify(log), nextAt })
        .where('id', '=', id)
        .execute()
      return async () => (await findDelivery(store.read, id))?.nextAt
    }
    const failed = (at: number) => [{ at, status: 500, error: 'no', durationMs: 1 }]
    const ahead = now + 3 * DAY_MS
    const retried = await add(failed(ahead), ahead, ahead + 60_000)
    const fresh = await add([], ahead, ahead)
    const patient = await add(failed(now), now, now + DAY_MS)
    await healDeliveries(store.write, now)
    expect([await retried(), await fresh(), await patient()]).toEqual([now + 60_000, now, now + DAY_MS])
  })

  test('bounds tokens that were made in the future by their lifetime', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const add = (id: string, createdAt: number) =>
      sql`insert into invitations (id, hash, account_id, email, role, created_at, expires_at)
        values (${id}, ${id}, ${accountId}, 'b@example.test', 'viewer', ${createdAt}, ${createdAt + 60_000})`.execute(
        store.write,
      )
    await add('ahead', now + 3 * DAY_MS)
    await add('now', now - 1)
    await healTokens(store.write, now, { code: 1, access: 2, refresh: 3 })
    const rows = await store.read.selectFrom('invitations').select(['id', 'expiresAt']).orderBy('id').execute()
    expect(rows).toEqual([
      { id: 'ahead', expiresAt: now + 60_000 },
      { id: 'now', expiresAt: now + 59_999 },
    ])
  })

  test('neither postpones refreshes nor refreshes sources without a schedule', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    for (const refresh of ['daily', 'off'] as const) {
      const about = { slug: refresh, name: 'A', description: null, visibility: 'public' as const, tools: '[]', refresh }
      const times = { createdAt: 0, updatedAt: 0, deletedAt: null, purgeAt: null }
      await insertServer(store.write, { id: `srv_${refresh}`, accountId, ...about, ...times })
      const source = { id: `src_${refresh}`, serverId: `srv_${refresh}`, url: 'x', type: 'docs' as const, label: null }
      const row = newSourceRow({ ...source, createdAt: 0 })
      await insertSourceRow(store.write, { ...row, crawlStatus: 'complete', crawlStartedAt: now + 3 * DAY_MS })
    }
    expect(await refreshDue(store, { now, textFormat: '0002' })).toBe(1)
    const jobs = await store.read.selectFrom('jobs').select('sourceId').execute()
    expect(jobs).toEqual([{ sourceId: 'src_daily' }])
  })

  test('keeps sessions when the clock jumps forward or back', async () => {
    await using store = await makeStore(engine)
    const now = await store.now()
    const account = { email: 'a@example.test', password: null, plan: 'free' as const }
    const { id: accountId, personId } = await createAccount(store, account)
    const { secret } = await openSession(store, { accountId, personId, userAgent: null, now: now + 3 * DAY_MS })
    for (const at of [now, now + 3 * DAY_MS])
      expect(await authenticateSession(store.read, secret, at)).toMatchObject({ accountId })
  })
})

test('resumes requests to a host soon after the machine’s clock is set back', async () => {
  vi.useFakeTimers()
  using pacer = createPacer()
  pacer.setCrawlDelay('a.test', 10)
  const outcome = { status: 200, elapsedMs: 1, retryAfter: undefined }
  ;(await pacer.acquire('a.test'))(outcome)
  vi.setSystemTime(Date.now() - 3 * DAY_MS)
  let isIn = false
  const second = pacer.acquire('a.test').then(() => (isIn = true))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isIn).toBe(true)
  await second
})
