import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enqueueAnew } from '#jobs/enqueue-ingest.ts'
import { beginAnew, enqueue, finish, letGo, renew, retryLater } from '#store/jobs/queue.ts'
import { claim } from '#store/jobs/claim.ts'
import { type Lease, startWorker } from '#jobs/worker.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'

onBothEngines('job that is to be restarted', (engine) => {
  test('takes the job from its holder once and runs it again', async () => {
    await using store = await makeStore(engine)
    const key = { dedupeKey: 'ingest:src_1' }
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' }, key)
    await beginAnew(store.write, key.dedupeKey)
    const first = await claim(store, Date.now() + 1)
    if (!first) throw new Error('nothing to do')
    expect(await renew(store.write, first, Date.now())).toBe(true)
    await beginAnew(store.write, key.dedupeKey)
    expect(await renew(store.write, first, Date.now())).toBe(false)
    expect(await enqueue(store.write, 'ingest', { sourceId: 'src_1' }, key)).toBe(false)
    await finish(store.write, first, 'done')
    expect(await claim(store, Date.now() + 1)).toBeUndefined()
    const again = await claim(store, Date.now() + 60_000)
    expect(again).toMatchObject({ id: first.id, attempts: 1 })
  })

  test('makes the job due as soon as its holder has released it', async () => {
    await using store = await makeStore(engine)
    const key = { dedupeKey: 'ingest:src_1' }
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' }, key)
    const first = await claim(store, Date.now() + 1)
    if (!first) throw new Error('nothing to do')
    await beginAnew(store.write, key.dedupeKey)
    await beginAnew(store.write, key.dedupeKey)
    expect(await claim(store, Date.now() + 1)).toBeUndefined()
    await letGo(store.write, first)
    const again = await claim(store, Date.now() + 1)
    expect(again).toMatchObject({ id: first.id, attempts: 1 })
    // A late holder does not hasten a job that it has lost.
    await letGo(store.write, first)
    expect(await claim(store, Date.now() + 1)).toBeUndefined()
  })

  test('does not wait for the retry time of an earlier failure', async () => {
    await using store = await makeStore(engine)
    const key = { dedupeKey: 'ingest:src_1' }
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' }, key)
    const failed = await claim(store, Date.now() + 1)
    if (!failed) throw new Error('nothing to do')
    await retryLater(store.write, failed, Date.now() + 60_000, 'The host is down')
    expect(await claim(store, Date.now() + 1)).toBeUndefined()
    await beginAnew(store.write, key.dedupeKey)
    expect(await claim(store, Date.now() + 1)).toMatchObject({ id: failed.id, attempts: 1 })
  })

  test('restarts the job without delay in the same worker after the first run has stopped', async () => {
    await using store = await makeStore(engine)
    const starts: { fence: number; others: number }[] = []
    let running = 0
    const ingest = async (_: unknown, { signal, job }: Lease) => {
      starts.push({ fence: job.fence, others: running })
      running += 1
      // The first one stops on the abort signal, but slowly.
      if (starts.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await sleep(50)
      running -= 1
      signal.throwIfAborted()
    }
    const errors: unknown[] = []
    const worker = startWorker({
      store,
      handlers: { ingest, purge: async () => {} },
      onFailure: async (_, error) => void errors.push(error),
      onClaimError: (error) => errors.push(error),
      concurrency: 2,
    })
    try {
      const source = { id: 'src_1', serverId: 'srv_1' }
      await enqueue(store.write, 'ingest', { sourceId: source.id }, { dedupeKey: 'ingest:src_1' })
      worker.wake({ taken: true })
      await expect.poll(() => starts.length).toBe(1)
      await store.transaction((tx) => enqueueAnew(tx, source))
      worker.wake({ taken: true })
      // Far less than the time after which a holder must have noticed.
      await expect.poll(() => starts.length).toBe(2)
      expect(starts[1]).toEqual({ fence: 3, others: 0 })
      expect(errors).toEqual([])
    } finally {
      await worker.stop()
    }
  })
})
