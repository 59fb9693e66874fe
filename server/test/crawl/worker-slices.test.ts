import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { TooEarly } from '#jobs/lease.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { type Handlers, startWorker } from '#jobs/worker.ts'
import type { Store } from '#store/db.ts'
import { makePlace, makeStore, onSqliteAtLeast, openTwoNodes } from '../support/database/engines.ts'

const SLICE_MS = 100

function start(store: Store, ingest: Handlers['ingest']) {
  const errors: unknown[] = []
  const worker = startWorker({
    store,
    handlers: { ingest, purge: async () => undefined },
    onFailure: async (_, error) => void errors.push(error),
    onClaimError: (error) => errors.push(error),
    concurrency: 4,
    perAccount: 3,
    sliceMs: SLICE_MS,
  })
  return { errors, worker, [Symbol.asyncDispose]: () => worker.stop() }
}

/** An endless job that yields to others and counts its slices by source. */
function endless(store: Store, slices: Map<string, number>): Handlers['ingest'] {
  return async ({ sourceId }, { slice, signal }) => {
    slices.set(sourceId, (slices.get(sourceId) ?? 0) + 1)
    const over = AbortSignal.any([slice, signal])
    if (!over.aborted) await once(over, 'abort')
    signal.throwIfAborted()
    throw new TooEarly(store.clock())
  }
}

onSqliteAtLeast('worker', (engine) => {
  test('gives the sources of one account slices in turn', async () => {
    await using store = await makeStore(engine)
    const ids = Array.from({ length: 9 }, (_, n) => `src_${n}`)
    for (const sourceId of ids) await enqueue(store.write, 'ingest', { sourceId })
    const slices = new Map<string, number>()
    {
      await using worker = start(store, endless(store, slices))
      await expect.poll(() => slices.size).toBe(9)
      const counts = [...slices.values()]
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      expect(worker.errors).toEqual([])
    }
    const jobs = await store.read.selectFrom('jobs').selectAll().execute()
    expect(jobs).toHaveLength(9)
    // Slices do not use up attempts, except for the one in which the worker was stopped.
    for (const { attempts, state } of jobs) expect([attempts <= 1, state]).toEqual([true, 'queued'])
  })

  test('does not interrupt a job when no other waits', async () => {
    await using store = await makeStore(engine)
    for (let n = 0; n < 3; n++) await enqueue(store.write, 'ingest', { sourceId: `src_${n}` })
    const slices = new Map<string, number>()
    await using worker = start(store, endless(store, slices))
    await expect.poll(() => slices.size).toBe(3)
    await sleep(3_000)
    expect([...slices.values()]).toEqual([1, 1, 1])
    expect(worker.errors).toEqual([])
  })

  test('starts another job while others wait for their hosts', async () => {
    await using store = await makeStore(engine)
    for (let n = 0; n < 5; n++) await enqueue(store.write, 'ingest', { sourceId: `src_${n}` })
    const begun: string[] = []
    await using worker = start(store, async ({ sourceId }, { signal, onAskPause }) => {
      begun.push(sourceId)
      onAskPause(() => (sourceId === 'src_4' ? 0 : 60_000))
      if (sourceId !== 'src_4') await once(signal, 'abort')
    })
    await expect.poll(() => begun.length).toBe(5)
    expect(worker.errors).toEqual([])
  })

  test('gives every account its slices across two nodes on one database', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const { one, other } = nodes
    for (let n = 0; n < 12; n++) await enqueue(one.write, 'ingest', { sourceId: `many_${n}` })
    await enqueue(one.write, 'ingest', { sourceId: 'late' })
    await one.write.updateTable('jobs').set({ accountId: 'many' }).execute()
    const isLate = JSON.stringify({ sourceId: 'late' })
    await one.write.updateTable('jobs').set({ accountId: 'late' }).where('payload', '=', isLate).execute()
    const slices = new Map<string, number>()
    const running = new Map<string, number>()
    let twice = 0
    const handler =
      (store: Store): Handlers['ingest'] =>
      async (payload, lease) => {
        const { sourceId } = payload
        running.set(sourceId, (running.get(sourceId) ?? 0) + 1)
        if ((running.get(sourceId) ?? 0) > 1) twice++
        try {
          await endless(store, slices)(payload, lease)
        } finally {
          running.set(sourceId, (running.get(sourceId) ?? 0) - 1)
        }
      }
    await using first = start(one, handler(one))
    await using second = start(other, handler(other))
    await expect.poll(() => slices.get('late') ?? 0).toBeGreaterThanOrEqual(1)
    await expect.poll(() => slices.size).toBe(13)
    expect(twice).toBe(0)
    expect([...first.errors, ...second.errors]).toEqual([])
  })
})
