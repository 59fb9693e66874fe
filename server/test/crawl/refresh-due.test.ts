import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { startPeriodicTasks } from '#jobs/periodic-tasks.ts'
import { claim } from '#store/jobs/claim.ts'
import { finish } from '#store/jobs/queue.ts'
import { enqueueIngest, refreshDue } from '#jobs/enqueue-ingest.ts'
import { insertServer } from '#store/servers/servers.ts'
import type { Store } from '#store/db.ts'
import { insertSourceRow, newSourceRow, updateSourceRow } from '#store/sources/sources.ts'
import { delayTransactions } from '../support/database/delay-transactions.ts'
import { makePlace, makeStore, onBothEngines, openTwoNodes } from '../support/database/engines.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = 1_800_000_000_000
const WHEN = { now: NOW, textFormat: '0002' }

type Refresh = 'off' | 'hourly' | 'daily' | 'weekly'
type Status = 'pending' | 'crawling' | 'complete' | 'error'
type Scheduled = { refresh: Refresh; status: Status; hoursAgo: number | null; deleted?: boolean }

onBothEngines('refresh schedule', (engine) => {
  async function storeWith(sources: Scheduled[]) {
    const store = await makeStore(engine)
    await fill(store, sources)
    const queued = async () => {
      const rows = await store.read.selectFrom('jobs').select('sourceId').where('state', '=', 'queued').execute()
      return new Set(rows.map(({ sourceId }) => sourceId))
    }
    return { store, queued, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
  }

  async function fill(store: Store, sources: Scheduled[]): Promise<void> {
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    for (const [n, { refresh, status, hoursAgo, deleted }] of sources.entries()) {
      const serverId = `srv_${n}`
      await insertServer(store.write, {
        id: serverId,
        accountId,
        slug: serverId,
        name: 'A',
        description: null,
        visibility: 'public',
        tools: '[]',
        refresh,
        createdAt: 0,
        updatedAt: 0,
        deletedAt: deleted ? 1 : null,
        purgeAt: deleted ? NOW * 2 : null,
      })
      const source = newSourceRow({ id: `src_${n}`, serverId, url: 'x', type: 'docs', label: null, createdAt: 0 })
      const crawlStartedAt = hoursAgo === null ? null : NOW - hoursAgo * HOUR_MS
      await insertSourceRow(store.write, { ...source, crawlStatus: status, crawlStartedAt })
    }
  }

  test('queues due sources once and nothing else', async () => {
    await using it = await storeWith([
      { refresh: 'hourly', status: 'complete', hoursAgo: 1 },
      { refresh: 'hourly', status: 'complete', hoursAgo: 0.99 },
      { refresh: 'daily', status: 'complete', hoursAgo: 24 },
      { refresh: 'daily', status: 'error', hoursAgo: 25 },
      { refresh: 'daily', status: 'complete', hoursAgo: 23 },
      { refresh: 'weekly', status: 'complete', hoursAgo: 168 },
      { refresh: 'weekly', status: 'complete', hoursAgo: 167 },
      { refresh: 'off', status: 'complete', hoursAgo: 10_000 },
      { refresh: 'hourly', status: 'pending', hoursAgo: 50 },
      { refresh: 'hourly', status: 'crawling', hoursAgo: 50 },
      { refresh: 'hourly', status: 'complete', hoursAgo: 50, deleted: true },
    ])
    await Promise.all([refreshDue(it.store, WHEN), refreshDue(it.store, WHEN)])
    expect(await it.queued()).toEqual(new Set(['src_0', 'src_2', 'src_3', 'src_5']))
    expect(await refreshDue(it.store, WHEN)).toBe(0)

    const payload = async () =>
      (await it.store.read.selectFrom('jobs').select('payload').where('sourceId', '=', 'src_0').execute())[0]?.payload
    expect(await payload()).toContain('isScheduled')
    // Somebody asks for it too.
    expect(await enqueueIngest(it.store.write, { id: 'src_0', serverId: 'srv_0' })).toBe(false)
    expect(await payload()).not.toContain('isScheduled')
  })

  test('queues uploads that an earlier version indexed, once a day', async () => {
    const complete = { refresh: 'off', status: 'complete' } as const
    await using it = await storeWith([
      { ...complete, hoursAgo: 24 },
      { ...complete, hoursAgo: 23 },
      { ...complete, hoursAgo: 10_000 },
      { ...complete, hoursAgo: 10_000, deleted: true },
    ])
    const { write } = it.store
    const facts = { reason: null, detail: null, title: null, etag: null, lastModified: null, anchorTexts: null }
    const settled = { ...facts, run: 1, depth: 0, chunks: 1, published: 1, misses: 0, updatedAt: 0 }
    for (const [id, textHash] of [
      ['src_0', 'a0001'],
      ['src_1', 'a0001'],
      ['src_2', 'a0002'],
      ['src_3', 'a0001'],
    ] as const) {
      await write
        .updateTable('sources')
        .set({ url: `upload://${id}` })
        .where('id', '=', id)
        .execute()
      const page = { ...settled, sourceId: id, url: `upload://${id}/a.md`, state: 'indexed', textHash } as const
      await write.insertInto('pages').values(page).execute()
    }
    expect(await refreshDue(it.store, WHEN)).toBe(1)
    expect(await it.queued()).toEqual(new Set(['src_0']))
  })

  test('queues a source once across nodes, even if one finishes before another gets to it', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const { one, other } = nodes
    await fill(
      one,
      Array.from({ length: 40 }, () => ({ refresh: 'daily', status: 'complete', hoursAgo: 25 })),
    )
    const runs = new Map<string, number>()
    // A worker that finishes immediately.
    const work = async () => {
      for (let job = await claim(one, Date.now()); job; job = await claim(one, Date.now())) {
        const { sourceId } = JSON.parse(job.payload) as { sourceId: string }
        runs.set(sourceId, (runs.get(sourceId) ?? 0) + 1)
        await updateSourceRow(one.write, sourceId, { crawlStatus: 'complete', crawlStartedAt: NOW })
        await finish(one.write, job, 'done')
      }
    }
    // This node has read what is due, but queues it only after the other one has finished.
    const late = delayTransactions(other)
    const looking = refreshDue(late.store, WHEN)
    await late.reached
    expect(await refreshDue(one, WHEN)).toBe(40)
    await work()
    late.release()
    expect(await looking).toBe(0)
    await work()
    expect([...runs.values()]).toEqual(Array.from({ length: 40 }, () => 1))
  })
})

test('repeats periodic tasks, one round at a time, and reports failures', async () => {
  const errors: unknown[] = []
  let [rounds, atOnce, most] = [0, 0, 0]
  const slow = {
    everyMs: 5,
    run: async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setTimeout(resolve, 15))
      atOnce -= 1
      rounds += 1
    },
  }
  const broken = { everyMs: 5, run: () => Promise.reject(new Error('on purpose')) }
  const tasks = startPeriodicTasks([slow, broken], { clock: Date.now, onError: (error) => errors.push(error) })
  await expect.poll(() => rounds).toBeGreaterThan(2)
  await tasks[Symbol.asyncDispose]()
  expect([atOnce, most]).toEqual([0, 1])
  expect(errors.length).toBeGreaterThan(2)
  const [before, failures] = [rounds, errors.length]
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect([rounds, errors.length]).toEqual([before, failures])
})

test('runs a task with atStart at startup and waits for it at shutdown', async () => {
  const done: string[] = []
  const task = (name: string) => ({
    everyMs: 3_600_000,
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      done.push(name)
    },
  })
  const tasks = startPeriodicTasks([task('later'), { ...task('now'), atStart: true }], {
    clock: Date.now,
    onError: fail,
  })
  await new Promise((resolve) => setImmediate(resolve))
  await tasks[Symbol.asyncDispose]()
  expect(done).toEqual(['now'])
})

function fail(error: unknown): never {
  throw error
}
