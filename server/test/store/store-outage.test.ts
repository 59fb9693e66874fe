import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CallRecorder } from '#analytics/record-calls.ts'
import { createAccount } from '#auth/accounts.ts'
import { CallAllowance, readAllowance } from '#auth/allowance.ts'
import { PLANS } from '#auth/plans.ts'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { toDocentError } from '#errors.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { startWorker } from '#jobs/worker.ts'
import type { Db, Store } from '#store/db.ts'
import {
  LAST_KNOWN_MS,
  lastKnown,
  outageOfPostgres,
  reportOutages,
  StoreUnavailableError,
} from '#store/engine/outages.ts'
import { createLocalWindows } from '#store/engine/local-windows.ts'
import { insertServer } from '#store/servers/servers.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'

const gone = () => new StoreUnavailableError('away', new Error('connect ECONNREFUSED'))

/** A store whose writes fail in the state `away`, and whose commits succeed without an answer in the state `mute`. */
function breakable(store: Store) {
  const state = { is: 'there' as 'there' | 'away' | 'mute' }
  const writes = new Proxy(store.write, {
    get(target, name) {
      if (state.is === 'away') throw gone()
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const broken: Store = {
    ...store,
    write: writes,
    async transaction<T>(body: (tx: Db) => Promise<T>): Promise<T> {
      if (state.is === 'away') throw gone()
      const result = await store.transaction(body)
      if (state.is === 'mute') throw gone()
      return result
    },
  }
  return { state, broken }
}

async function addServer(store: Store): Promise<string> {
  const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const about = { slug: 'a', name: 'A', description: null, visibility: 'public' as const, tools: '[]' }
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  await insertServer(store.write, { id: 'srv', accountId, refresh: 'daily', ...about, ...times })
  return accountId
}

const call = (query: string) => ({
  tool: 'search_docs',
  arguments: { query },
  client: null,
  outcome: 'answered' as const,
  durationMs: 1,
  citations: [],
  segments: [],
})

const recorded = async ({ read }: Store) => ({
  rows: (await read.selectFrom('calls').select('id').execute()).length,
  hours: (await read.selectFrom('callHours').select('calls').execute()).map(({ calls }) => calls),
  months: (await read.selectFrom('monthlyCalls').select('calls').execute()).map(({ calls }) => calls),
})

onBothEngines('outage of the database', (engine) => {
  test('keeps calls in memory during the outage and records them once', async () => {
    await using store = await makeStore(engine)
    const accountId = await addServer(store)
    const { state, broken } = breakable(store)
    const errors: unknown[] = []
    await using recorder = new CallRecorder({ store: broken, onError: (error) => errors.push(error) })
    state.is = 'away'
    for (let n = 0; n < 100; n++) recorder.record('srv', call(`q${n}`), accountId)
    // More attempts than a faulty batch gets.
    for (let n = 0; n < 70; n++) await expect(recorder.flush()).rejects.toThrow(StoreUnavailableError)
    // The commits succeed, but their answers are lost.
    state.is = 'mute'
    await expect(recorder.flush()).rejects.toThrow(StoreUnavailableError)
    await expect(recorder.flush()).rejects.toThrow(StoreUnavailableError)
    state.is = 'there'
    await recorder.flush()
    expect(await recorded(store)).toEqual({ rows: 100, hours: [100], months: [100] })
    expect(errors).toEqual([])
  })

  test('bounds the calls that wait to be recorded in number and size', async () => {
    await using store = await makeStore(engine)
    await addServer(store)
    const { state, broken } = breakable(store)
    await using recorder = new CallRecorder({ store: broken, onError: () => {} })
    state.is = 'away'
    // Seven thousand characters each, in texts that are stored in full.
    const args = Object.fromEntries([...'abcdefg'].map((name) => [name, name.repeat(999)]))
    for (let n = 0; n < 2_600; n++) recorder.record('srv', { ...call('q'), arguments: args })
    state.is = 'there'
    await recorder.flush()
    const { rows } = await recorded(store)
    expect(rows).toBeGreaterThan(2_000)
    expect(rows).toBeLessThan(2_300)
  })

  test('enforces rate limits in memory, and in the database again afterwards', async () => {
    await using store = await makeStore(engine)
    const { state, broken } = breakable(store)
    const take = (now: number) => takeFromWindow(broken, { key: 'k', limit: 3, windowMs: 1_000, now })
    state.is = 'away'
    expect([await take(1_000), await take(1_100), await take(1_200)]).toEqual([0, 0, 0])
    expect(await take(1_300)).toBe(700)
    expect(await take(2_000)).toBe(0)
    state.is = 'there'
    expect([await take(2_100), await take(2_100), await take(2_100)]).toEqual([0, 0, 0])
    expect(await take(2_100)).toBe(1_000)
  })

  test('admits calls up to the last known allowance and counts them afterwards', async () => {
    await using store = await makeStore(engine)
    const accountId = await addServer(store)
    const { state, broken } = breakable(store)
    const limit = PLANS.free.mcpRequestsPerMonth ?? 0
    const caller = { accountId, plan: 'free', now: Date.UTC(2030, 5, 1) }
    {
      await using allowance = new CallAllowance(broken, { onError: () => {}, onReached: async () => {} })
      for (let n = 0; n < limit - 2; n++) expect(await allowance.take(caller)).toBeNull()
      state.is = 'away'
      expect([await allowance.take(caller), await allowance.take(caller)]).toEqual([null, null])
      await expect(allowance.take(caller)).rejects.toThrow(StoreUnavailableError)
      state.is = 'there'
    }
    expect(await readAllowance(store, caller)).toMatchObject({ limit, used: limit })
  })

  test('divides the last known allowance among the nodes, and refuses accounts that a node does not know', async () => {
    await using store = await makeStore(engine)
    const accountId = await addServer(store)
    const { state, broken } = breakable(store)
    const limit = PLANS.free.mcpRequestsPerMonth ?? 0
    const caller = { accountId, plan: 'free', now: Date.UTC(2030, 5, 1) }
    {
      await using nodes = new AsyncDisposableStack()
      const open = () =>
        nodes.use(new CallAllowance({ ...broken, nodes: () => 3 }, { onError: () => {}, onReached: async () => {} }))
      const [one, two, three] = [open(), open(), open()]
      for (let n = 0; n < limit - 8; n++) await one.take(caller)
      await two.take(caller)
      state.is = 'away'
      // Two of the 8 that one knows of, two of the 7 that the other knows of.
      for (const node of [one, two]) {
        expect([await node.take(caller), await node.take(caller)]).toEqual([null, null])
        await expect(node.take(caller)).rejects.toThrow(StoreUnavailableError)
      }
      await expect(three.take(caller)).rejects.toThrow(StoreUnavailableError)
      state.is = 'there'
    }
    expect(await readAllowance(store, caller)).toMatchObject({ used: limit - 8 + 1 + 4 })
  })

  test('requeues an interrupted job without a lost attempt and repeats no finished one', async () => {
    await using store = await makeStore(engine)
    const { state, broken } = breakable(store)
    await enqueue(store.write, 'ingest', { sourceId: 'src_1' })
    await enqueue(store.write, 'purge', { serverId: 'srv_1' })
    const begun = { ingest: 0, purge: 0 }
    const away = Promise.withResolvers<void>()
    const worker = startWorker({
      store: broken,
      concurrency: 2,
      handlers: {
        async ingest() {
          begun.ingest += 1
          if (begun.ingest > 1) return
          state.is = 'away'
          away.resolve()
          throw gone()
        },
        async purge() {
          begun.purge += 1
          await away.promise
        },
      },
      onFailure: async () => {
        throw new Error('An outage is no failure of the job')
      },
      onClaimError: () => {},
    })
    await away.promise
    // Enough for several attempts to write the outcome.
    await sleep(2_500)
    const jobs = () => store.read.selectFrom('jobs').select(['kind', 'attempts']).orderBy('id').execute()
    expect((await jobs()).every(({ attempts }) => attempts <= 1)).toBe(true)
    state.is = 'there'
    await expect.poll(jobs).toEqual([])
    await worker.stop()
    expect(begun).toEqual({ ingest: 2, purge: 1 })
  })
})

test('uses the last read values during an outage for a bounded time and number', async () => {
  let now = 0
  let isAway = false
  const load = async (key: string) => {
    if (isAway) throw gone()
    return key === 'none' ? undefined : `value of ${key}`
  }
  const find = lastKnown(load, { entries: 2, monotonic: () => now })
  for (const key of ['a', 'b', 'c', 'none']) await find(key)
  isAway = true
  expect(await find('b')).toBe('value of b')
  await expect(find('a')).rejects.toThrow(StoreUnavailableError)
  await expect(find('none')).rejects.toThrow(StoreUnavailableError)
  now = LAST_KNOWN_MS
  expect(await find('c')).toBe('value of c')
  now = LAST_KNOWN_MS + 1
  await expect(find('c')).rejects.toThrow(StoreUnavailableError)
})

test('bounds the number of windows in memory and limits batches', () => {
  const windows = createLocalWindows(2)
  const take = (key: string, count = 1) => windows.take({ key, limit: 3, count, now: 1_000, windowMs: 100 })
  expect([take('a', 3), take('a')]).toEqual([0, 100])
  expect([take('b', 2), take('b', 2), take('b', 1)]).toEqual([0, 100, 0])
  expect(take('c')).toBe(0)
  expect(take('a')).toBe(0)
})

test('reports an outage when it begins, every ten seconds, and when it ends', () => {
  let now = 0
  const told: string[] = []
  const listeners = { onError: () => told.push('error'), onAnswer: () => told.push('answer') }
  const outages = reportOutages(listeners, () => now)
  outages.answered()
  outages.failed(new Error('a mistake in a query'))
  expect(told).toEqual([])
  outages.failed(gone())
  outages.failed(gone())
  expect(told).toEqual(['error'])
  now = 10_000
  outages.failed(gone())
  outages.answered()
  outages.answered()
  expect(told).toEqual(['error', 'error', 'answer'])
})

test.each([
  ['53100', 'full', 'the disk of this instance is full'],
  ['53300', 'busy', 'too much to do'],
  ['55P03', 'busy', 'too much to do'],
  ['57P01', 'away', 'cannot be reached'],
  ['57P03', 'away', 'cannot be reached'],
  ['08006', 'away', 'cannot be reached'],
  ['58030', 'away', 'cannot be reached'],
  ['58P01', 'away', 'cannot be reached'],
  ['XX001', 'away', 'cannot be reached'],
  ['25006', 'read-only', 'takes no changes'],
] as const)('treats PostgreSQL’s SQLSTATE %s as the outage %s and answers 503', (code, outage, sentence) => {
  expect(outageOfPostgres(Object.assign(new Error('x'), { code, severity: 'ERROR' }))).toBe(outage)
  const { status, body, headers } = toDocentError(new StoreUnavailableError(outage, new Error('x')))
  expect({ status, headers }).toEqual({ status: 503, headers: { 'retry-after': '5' } })
  expect(body['message']).toContain(sentence)
})

test.each(['23505', '42601', '40001', '22P05'])('treats PostgreSQL’s SQLSTATE %s as a query error', (code) => {
  expect(outageOfPostgres(Object.assign(new Error('x'), { code, severity: 'ERROR' }))).toBeNull()
})
