import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Place, makePlace, onBothEngines } from '../support/database/engines.ts'
import { LEASE_MS } from '#store/jobs/job.ts'
import { claim } from '#store/jobs/claim.ts'
import { enqueue, finish, renew } from '#store/jobs/queue.ts'
import { startWorker } from '#jobs/worker.ts'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'

const HOUR_MS = 60 * 60 * 1000
const CASES = [
  ['an hour ahead', HOUR_MS],
  ['an hour behind', -HOUR_MS],
] as const

onBothEngines('node with a wrong clock', (engine) => {
  let place: Place
  let store: Store
  beforeEach(async () => {
    place = await makePlace(engine)
    store = await openStore({ database: place.database, onError: () => {} })
    await store.transaction((tx) => enqueue(tx, 'purge', { serverId: 'srv_1' }, { runAt: 0 }))
  })
  afterEach(async () => {
    vi.useRealTimers()
    await store[Symbol.asyncDispose]()
    await place[Symbol.asyncDispose]()
  })
  const setClock = (off: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off })

  test.each(CASES)('does not take a job from itself when its clock is %s', async (_, off) => {
    let begun = 0
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const purge = async () => {
      begun += 1
      started.resolve()
      await goOn.promise
    }
    const ended = Promise.withResolvers<void>()
    const worker = startWorker({
      store,
      concurrency: 2,
      handlers: { ingest: async () => ended.resolve(), purge },
      onFailure: async () => {},
      onClaimError: ended.reject,
    })
    await started.promise
    setClock(off)
    // Queued after the other job: when it is done, the other one has been skipped. The worker polls for it, because
    // waking the worker renews its leases.
    await store.transaction((tx) => enqueue(tx, 'ingest', { sourceId: 'src_1' }, { runAt: Date.now() - HOUR_MS }))
    await ended.promise
    expect(begun).toBe(1)
    goOn.resolve()
    await worker.stop()
    expect(await store.read.selectFrom('jobs').selectAll().execute()).toEqual([])
  })

  // SQLite has one node only, and its clock is the database's.
  test.skipIf(engine === 'sqlite').each(CASES)(
    'neither steals, loses nor delays a job when its clock is %s',
    async (_, off) => {
      const job = await claim(store)
      if (!job) throw new Error('There is no job to claim')
      setClock(off)
      expect(await claim(store)).toBeUndefined()
      expect(await renew(store.write, job)).toBe(true)
      const { leaseUntil } = await store.read.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
      const left = (leaseUntil ?? 0) - (await store.now())
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(LEASE_MS)
      await store.transaction((tx) => enqueue(tx, 'purge', { serverId: 'srv_2' }))
      vi.useRealTimers()
      const second = await claim(store)
      expect(second).toMatchObject({ payload: '{"serverId":"srv_2"}', attempts: 1 })
      expect(await renew(store.write, job)).toBe(true)
      await finish(store.write, job, 'done')
      expect(await claim(store, (await store.now()) + LEASE_MS + 1)).toMatchObject({ id: second?.id, attempts: 2 })
    },
  )
})
