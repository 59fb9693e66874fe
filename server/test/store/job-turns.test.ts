import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { claim, hasWaitingJobs } from '#store/jobs/claim.ts'
import { enqueue, finish, putOff } from '#store/jobs/queue.ts'
import type { Store } from '#store/db.ts'
import { insertServer } from '#store/servers/servers.ts'
import { makePlace, makeStore, onBothEngines, openTwoNodes } from '../support/database/engines.ts'

/** Creates accounts by name, each with a server and as many waiting index jobs, in this order. */
async function queue(store: Store, waiting: Record<string, number>): Promise<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const [name, sources] of Object.entries(waiting)) {
    const { id: accountId } = await createAccount(store, {
      email: `${name}@example.test`,
      password: null,
      plan: 'free',
    })
    const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
    const serverId = `srv_${name}`
    const server = { id: serverId, accountId, slug: name, name, description: null, visibility: 'public' as const }
    await insertServer(store.write, { ...server, tools: '[]', ...times })
    names[accountId] = name
    for (let n = 0; n < sources; n++) {
      await enqueue(store.write, 'ingest', { sourceId: `src_${name}${n}` }, { serverId })
    }
  }
  return names
}

onBothEngines('job queue', (engine) => {
  test('alternates between accounts, however many jobs each has waiting', async () => {
    await using store = await makeStore(engine)
    const names = await queue(store, { many: 6, few: 2, one: 1 })
    const order: (string | undefined)[] = []
    for (let job = await claim(store); job; job = await claim(store)) order.push(names[job.accountId])
    expect(order.slice(0, 3).toSorted()).toEqual(['few', 'many', 'one'])
    expect(order.slice(3, 5).toSorted()).toEqual(['few', 'many'])
    expect(order.slice(5)).toEqual(['many', 'many', 'many', 'many'])
  })

  test('gives a late account its turn at once', async () => {
    await using store = await makeStore(engine)
    const names = await queue(store, { many: 50 })
    for (let n = 0; n < 10; n++) await claim(store)
    Object.assign(names, await queue(store, { late: 1 }))
    const job = await claim(store)
    expect(names[job?.accountId ?? '']).toBe('late')
  })

  test('orders the jobs of one account by when they became due', async () => {
    await using store = await makeStore(engine)
    await queue(store, { a: 3 })
    const now = Date.now() + 1_000
    const first = await claim(store, now)
    if (!first) throw new Error('nothing to do')
    await putOff(store.write, first, now + 5_000)
    const order = [await claim(store, now), await claim(store, now), await claim(store, now)]
    expect(order.map((job) => job && JSON.parse(job.payload).sourceId)).toEqual(['src_a1', 'src_a2', undefined])
    expect(await claim(store, now + 5_000)).toMatchObject({ id: first.id, attempts: 1 })
  })

  test('skips an account at its job limit and reports whether others wait', async () => {
    await using store = await makeStore(engine)
    const names = await queue(store, { many: 6, one: 1 })
    const [many = '', one = ''] = Object.keys(names)
    const now = Date.now() + 1_000
    expect(await hasWaitingJobs(store.read, now, [])).toBe(true)
    expect(await hasWaitingJobs(store.read, now, [many])).toBe(true)
    expect(await hasWaitingJobs(store.read, now, [many, one])).toBe(false)
    expect(await hasWaitingJobs(store.read, 1, [])).toBe(false)
    expect(await claim(store, now, [], [many])).toMatchObject({ accountId: one })
    expect(await claim(store, now, [], [many])).toBeUndefined()
    // An account at its limit does not get the job of a dead worker either.
    const job = await claim(store, now)
    expect(job).toMatchObject({ accountId: many })
    const later = now + 60_000
    expect(await claim(store, later, [], [many])).toMatchObject({ accountId: one, attempts: 2 })
    expect(await claim(store, later, [], [many])).toBeUndefined()
    expect(await claim(store, later)).toMatchObject({ id: job?.id, attempts: 2 })
  })

  test('gives deletions a turn separate from the account’s crawls', async () => {
    await using store = await makeStore(engine)
    const names = await queue(store, { a: 3 })
    for (let n = 0; n < 3; n++) await enqueue(store.write, 'purge', { serverId: `srv_gone${n}` }, { serverId: 'srv_a' })
    const order: string[] = []
    for (let job = await claim(store); job; job = await claim(store)) order.push(names[job.accountId] ?? job.kind)
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'purge'])
    expect(order.slice(2, 4).toSorted()).toEqual(['a', 'purge'])
  })

  test('alternates between accounts across nodes that claim concurrently, and gives out no job twice', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const { one, other } = nodes
    const names = await queue(one, { many: 40, few: 10, late: 5 })
    const taken: (string | undefined)[] = []
    const ids = new Set<number>()
    while (taken.length < 30) {
      // A claim may return nothing for a moment; the test checks who gets which job.
      for (const job of await Promise.all([claim(one), claim(other)])) {
        if (!job) continue
        taken.push(names[job.accountId])
        ids.add(job.id)
        await finish(one.write, job, 'done')
      }
    }
    expect(ids.size).toBe(taken.length)
    const count = (among: typeof taken, name: string) => among.filter((one) => one === name).length
    // The five jobs of the last account are gone after about fifteen claims. Nodes that claim in the same instant may
    // take one out of turn.
    expect(count(taken.slice(0, 18), 'late')).toBeGreaterThanOrEqual(3)
    expect(count(taken.slice(0, 30), 'late')).toBe(5)
    expect(count(taken.slice(0, 30), 'few')).toBeGreaterThanOrEqual(7)
  })
})

test('claims as fast with 20,000 waiting jobs of one account', async () => {
  await using store = await makeStore('sqlite')
  await queue(store, { few: 100, many: 1 })
  const timeTenClaims = async () => {
    const before = process.threadCpuUsage()
    for (let n = 0; n < 10; n++) await claim(store)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  // The best of some rounds: a garbage collection can add to one of them.
  const timeClaims = async () => Math.min(await timeTenClaims(), await timeTenClaims(), await timeTenClaims())
  const before = await timeClaims()
  await store.transaction(async (tx) => {
    for (let n = 0; n < 20_000; n++) await enqueue(tx, 'ingest', { sourceId: `src_${n}` }, { serverId: 'srv_many' })
  })
  expect(await timeClaims()).toBeLessThan(before * 3 + 10)
})
