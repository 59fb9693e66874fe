import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Handlers, startWorker } from '#jobs/worker.ts'
import type { Store } from '#store/db.ts'
import { restUntil } from '#store/engine/queue-changes.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { makePlace, onBothEngines, openTwoNodes } from '../support/database/engines.ts'

test.each([
  [true, null, 15_000],
  [true, 100_000, 15_000],
  [true, 4_000, 4_000],
  [true, -500, 1_000],
  [false, null, 1_000],
])('rests by what is due, and polls where changes go unnoticed: %s, %s', (isHeard, dueIn, rest) => {
  const now = Date.now()
  expect(restUntil({ isHeard: () => isHeard }, dueIn === null ? null : now + dueIn, now)).toBe(rest)
})

/** Shorter than the longest rest. */
const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 10_000 })

function start(store: Store, handlers: Partial<Handlers>) {
  const worker = startWorker({
    store,
    concurrency: 1,
    handlers: { ingest: async () => {}, purge: async () => {}, ...handlers },
    onFailure: async () => {},
    onClaimError: (error) => expect.fail(String(error)),
  })
  return { [Symbol.asyncDispose]: () => worker.stop() }
}

onBothEngines('queue', (engine) => {
  const purge = (store: Store, serverId: string, runAt = 0) =>
    store.transaction((tx) => enqueue(tx, 'purge', { serverId }, { runAt }))

  test('tells listeners of a job of another node after its commit, and of nothing else', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    let told = 0
    using _ = nodes.one.queue.on(() => void told++)
    await until(() => nodes.one.queue.isHeard())
    const before = told
    await nodes.other.transaction(async (tx) => {
      await enqueue(tx, 'purge', { serverId: 'srv_1' })
      expect(told).toBe(before)
    })
    await until(() => told > before)
    const after = told
    await nodes.other.write.updateTable('accounts').set({ name: 'No job' }).execute()
    await nodes.other.write.updateTable('jobs').set({ error: 'none' }).where('id', '=', -1).execute()
    await sleep(50)
    expect(told).toBe(after)
  })

  test('wakes a resting worker for a job of another node, and at the time of one that is due later', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const done: string[] = []
    await using _worker = start(nodes.one, {
      purge: async ({ serverId }) => void done.push(serverId),
    })
    await until(() => nodes.one.queue.isHeard())
    await purge(nodes.other, 'srv_1')
    await until(() => done.length === 1)
    await purge(nodes.other, 'srv_2', nodes.one.clock() + 1_500)
    await until(() => done.length === 2)
    expect(done).toEqual(['srv_1', 'srv_2'])
  })

  test('does not look for jobs every second while it rests', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const claims = vi.fn<() => void>()
    const counted = Object.defineProperty({ ...nodes.one }, 'write', {
      get: () => (claims(), nodes.one.write),
    })
    await using _worker = start(counted, {})
    await until(() => nodes.one.queue.isHeard())
    await sleep(500)
    claims.mockClear()
    await sleep(3_000)
    expect(claims).not.toHaveBeenCalled()
    await enqueue(nodes.other.write, 'purge', { serverId: 'srv_1' })
    await until(() => claims.mock.calls.length > 0)
  })
})
