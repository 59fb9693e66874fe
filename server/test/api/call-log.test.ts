import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FinishedCall } from '#analytics/call-row.ts'
import { CallRecorder } from '#analytics/record-calls.ts'
import { pruneCalls } from '#analytics/settle-calls.ts'
import { CallAllowance } from '#auth/allowance.ts'
import { createAccount } from '#auth/accounts.ts'
import type { Store } from '#store/db.ts'
import { countByTool } from '#store/calls/read-counts.ts'
import { insertServer } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { withCitations } from '#store/calls/cited-pages.ts'
import { readArguments } from '#store/calls/write-calls.ts'
import { deleteSourceRows } from '#store/sources/remove-source.ts'
import { makeStore, onBothEngines, onSqliteAtLeast } from '../support/database/engines.ts'
import { finishedCall } from '../support/mcp/finished-call.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const call = (values: Partial<FinishedCall> = {}) => finishedCall({ segments: ['seg_1'], ...values })
const citation = (sourceId: string, rank = 1) => ({
  sourceId,
  url: `https://a.test/${rank}`,
  title: 'A',
  rank,
  score: 1,
})

async function addServer(store: Store, id: string): Promise<void> {
  const account = await store.read.selectFrom('accounts').select('id').executeTakeFirst()
  const accountId =
    account?.id ?? (await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })).id
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const rest = { name: id, description: null, visibility: 'public' as const, tools: '[]', refresh: 'daily' as const }
  await insertServer(store.write, { id, accountId, slug: id, ...rest, ...times })
  await insertSourceRow(
    store.write,
    newSourceRow({ id: `${id}.src`, serverId: id, url: 'https://a.test/', type: 'docs', label: null, createdAt: 1 }),
  )
}

async function logged({ read }: Store) {
  return withCitations(read, await read.selectFrom('calls').selectAll().orderBy('seq').execute())
}

async function counts(store: Store) {
  const rows = await logged(store)
  return { calls: rows.length, citations: rows.flatMap(({ citations }) => citations).length }
}

test('writes and counts every call within a second, so that a kill loses those of one second at most', async () => {
  await using store = await makeStore('sqlite')
  await addServer(store, 'a')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await using recorder = new CallRecorder({ store, onError: () => {} })
  const rows = async () => (await counts(store)).calls
  // One batch and a half, then a call during its interval.
  for (let n = 0; n < 150; n++) recorder.record('a', call())
  vi.advanceTimersByTime(900)
  await expect.poll(rows).toBe(150)
  recorder.record('a', call())
  vi.advanceTimersByTime(1_000)
  await expect.poll(rows).toBe(151)
})

onSqliteAtLeast('request log', (engine) => {
  test('writes calls in batches, counts each once, and keeps counts by tool and source', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    {
      await using recorder = new CallRecorder({ store, onError })
      for (let n = 0; n < 130; n++) recorder.record('a', call({ citations: [citation('a.src'), citation('a.src', 2)] }))
      expect(await counts(store)).toEqual({ calls: 0, citations: 0 })
      await Promise.all([recorder.flush(), recorder.flush()])
      expect(await counts(store)).toEqual({ calls: 130, citations: 260 })
      recorder.record('a', call({ outcome: 'failed', error: 'x', durationMs: 8 }))
    }
    expect(errors).toEqual([])
    expect(await countByTool(store.read, 'a')).toEqual([
      { tool: 'search_docs', calls: 131, failed: 1, durationMs: 268 },
    ])
    expect(await store.read.selectFrom('sourceUses').selectAll().execute()).toEqual([
      { sourceId: 'a.src', calls: 130, citations: 260, lastCitedAt: expect.any(Number) },
    ])
  })

  test('loses no calls of two nodes that write at the same moment', async () => {
    await using store = await makeStore(engine)
    for (const id of ['a', 'b', 'c']) await addServer(store, id)
    const recorders = [0, 1, 2].map(() => new CallRecorder({ store, onError: () => {} }))
    for (let n = 0; n < 90; n++) {
      for (const [index, recorder] of recorders.entries()) {
        const id = ['a', 'b', 'c'][(n + index) % 3] ?? 'a'
        recorder.record(id, call({ citations: [citation(`${id}.src`)] }))
      }
    }
    await Promise.all(recorders.map((recorder) => recorder[Symbol.asyncDispose]()))
    const counts = await Promise.all(['a', 'b', 'c'].map((id) => countByTool(store.read, id)))
    expect(counts).toEqual(Array(3).fill([expect.objectContaining({ calls: 90 })]))
  })

  test('drops calls of deleted servers and citations of deleted sources, and keeps the rest', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    await using recorder = new CallRecorder({ store, onError: () => {} })
    recorder.record('gone', call({ citations: [citation('a.src')] }))
    recorder.record('a', call({ citations: [citation('gone.src'), citation('a.src', 2)] }))
    await recorder.flush()
    expect(await counts(store)).toEqual({ calls: 1, citations: 1 })
  })

  test('deletes calls with their server, and citations with their source', async () => {
    await using store = await makeStore(engine)
    for (const id of ['a', 'b']) await addServer(store, id)
    await using recorder = new CallRecorder({ store, onError: () => {} })
    for (const id of ['a', 'b']) recorder.record(id, call({ citations: [citation(`${id}.src`)] }))
    await recorder.flush()
    await store.write.deleteFrom('servers').where('id', '=', 'a').execute()
    expect(await counts(store)).toEqual({ calls: 1, citations: 1 })
    expect(await deleteSourceRows(store, 'a.src')).toBeNull()
    expect(await deleteSourceRows(store, 'b.src')).toMatchObject({ callCitations: 1 })
    expect(await counts(store)).toEqual({ calls: 1, citations: 0 })
  })

  test('deletes the citations of one source from calls that cite several, however long the log is', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    await insertSourceRow(
      store.write,
      newSourceRow({ id: 'a.kept', serverId: 'a', url: 'https://k.test/', type: 'docs', label: null, createdAt: 1 }),
    )
    await using recorder = new CallRecorder({ store, onError: () => {} })
    for (let n = 0; n < 1_100; n++)
      recorder.record('a', call({ citations: [citation('a.kept'), citation('a.src', 2)] }))
    await recorder.flush()
    expect(await deleteSourceRows(store, 'a.src')).toMatchObject({ callCitations: 1_100 })
    const rows = await logged(store)
    expect(rows.map(({ citations }) => citations)).toEqual(Array(1_100).fill([citation('a.kept')]))
  })

  test('stores hostile text: NUL, lone surrogates and oversized strings', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    await using recorder = new CallRecorder({ store, onError: () => {} })
    const odd = 'a\0b\uD800c'
    recorder.record(
      'a',
      call({
        arguments: { query: odd, [odd]: 'x'.repeat(5_000) },
        client: { name: odd, version: odd },
        error: odd,
        citations: [{ sourceId: 'a.src', url: odd, title: odd.repeat(1_000), rank: 1, score: 1 }],
      }),
    )
    recorder.record('a', call({ arguments: { list: Array(5_000).fill('xx') } }))
    recorder.record('a', call({ arguments: undefined }))
    const depth = 1_000_000
    recorder.record(
      'a',
      call({ arguments: { query: 'deep', deep: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) } }),
    )
    await recorder.flush()
    const rows = await store.read.selectFrom('calls').select(['arguments', 'query']).orderBy('seq').execute()
    const [first, second, third, fourth] = rows.map((row) => JSON.parse(readArguments(row)))
    expect(Object.values<string>(first).map(({ length }) => length)).toEqual([5, 1_000])
    expect(second).toEqual({ omitted: '25010 characters' })
    expect(third).toEqual({})
    expect(fourth).toEqual({ omitted: 'nested too deeply' })
    expect(rows.map(({ query }) => query?.length ?? null)).toEqual([5, null, null, 4])
  })

  test('counts few unknown tools by name and many together, and never counts them for the account', async () => {
    await using store = await makeStore(engine)
    for (const id of ['a', 'b']) await addServer(store, id)
    const { accountId } = await store.read.selectFrom('servers').select('accountId').limit(1).executeTakeFirstOrThrow()
    await using recorder = new CallRecorder({ store, onError: (error) => expect.fail(String(error)) })
    const unknown = (server: string, tool: string) =>
      recorder.record(server, call({ tool, isUnknown: true, outcome: 'refused' }), accountId)
    recorder.record('a', call(), accountId)
    for (let n = 0; n < 39; n++) unknown('a', `made_up_${n}`)
    await recorder.flush()
    const names = async (server: string) =>
      (await countByTool(store.read, server)).map(({ tool, calls, failed }) => [tool, calls, failed])
    expect(await names('a')).toHaveLength(40)
    expect(await names('a')).not.toContainEqual(expect.arrayContaining(['(other)']))

    for (const tool of ['made_up_0', 'made_up_39', 'made_up_40']) unknown('a', tool)
    unknown('b', 'made_up_40')
    await recorder.flush()
    expect(await names('a')).toHaveLength(41)
    expect(await names('a')).toEqual(
      expect.arrayContaining([
        ['made_up_0', 2, 2],
        ['(other)', 2, 2],
        ['search_docs', 1, 0],
      ]),
    )
    expect(await names('b')).toEqual([['made_up_40', 1, 1]])
    const months = await store.read.selectFrom('monthlyCalls').select('calls').execute()
    expect(months).toEqual([{ calls: 1 }])
  })

  test('keeps hostile tool names short, visible and distinct', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    await using recorder = new CallRecorder({ store, onError: (error) => expect.fail(String(error)) })
    const made = [
      'x'.repeat(64),
      'x'.repeat(65),
      'x'.repeat(1_000_000),
      'a\0b',
      'a\uD800b',
      'a\uDFFFb',
      'a\u202Eb',
      'ä 🎉',
    ]
    for (const tool of made) recorder.record('a', call({ tool, isUnknown: true, outcome: 'refused' }))
    await recorder.flush()
    const counted = new Map((await countByTool(store.read, 'a')).map(({ tool, calls }) => [tool, calls]))
    expect(counted).toEqual(
      new Map([
        ['a\uFFFDb', 4],
        [`${'x'.repeat(63)}…`, 2],
        ['x'.repeat(64), 1],
        ['ä 🎉', 1],
      ]),
    )
    const logged = await store.read.selectFrom('calls').select('tool').distinct().execute()
    expect(new Set(logged.map(({ tool }) => tool))).toEqual(new Set(counted.keys()))
  })

  test('writes a batch as soon as it is full, and the rest with the next tick, also during a write', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    let held = Promise.resolve()
    const slow: Store = { ...store, transaction: (body) => held.then(() => store.transaction(body)) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await using recorder = new CallRecorder({ store: slow, onError: () => {} })
    const record = (calls: number) => Array.from({ length: calls }, () => recorder.record('a', call()))
    const expectCalls = (calls: number) => expect.poll(async () => (await counts(store)).calls).toBe(calls)
    record(95)
    await sleep(50)
    await expectCalls(0)
    record(2)
    await expectCalls(96)
    await sleep(50)
    await expectCalls(96)
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    record(95 + 10)
    await sleep(50)
    vi.advanceTimersByTime(500)
    resolve()
    await expectCalls(96 + 1 + 95 + 10)
  })

  test('keeps calls that could not be written and writes them later', async () => {
    await using store = await makeStore(engine)
    await addServer(store, 'a')
    let broken = true
    const failing: Store = {
      ...store,
      transaction: (body) => (broken ? Promise.reject(new Error('out of order')) : store.transaction(body)),
    }
    await using recorder = new CallRecorder({ store: failing, onError: () => {} })
    recorder.record('a', call())
    await expect(recorder.flush()).rejects.toThrow('out of order')
    recorder.record('a', call())
    broken = false
    await recorder.flush()
    expect((await counts(store)).calls).toBe(2)
  })

  test('limits entries by age and by number per server, but not their counts', async () => {
    await using store = await makeStore(engine)
    for (const id of ['a', 'b']) await addServer(store, id)
    await using recorder = new CallRecorder({ store, onError: () => {} })
    for (let n = 0; n < 12; n++) recorder.record('a', call({ citations: [citation('a.src')] }))
    for (let n = 0; n < 3; n++) recorder.record('b', call())
    await recorder.flush()
    await store.write
      .updateTable('calls')
      .set((is) => ({ at: is.ref('seq') }))
      .execute()
    const now = 60 * 60 * 1000
    await pruneCalls(store, now, 5)
    const left = await store.read.selectFrom('calls').select('serverId').execute()
    expect(Object.groupBy(left, ({ serverId }) => serverId)).toMatchObject({ a: { length: 5 }, b: { length: 3 } })
    expect((await counts(store)).citations).toBe(5)
    await pruneCalls(store, now + 401 * DAY_MS, 5)
    expect(await counts(store)).toEqual({ calls: 0, citations: 0 })
    const kept = await Promise.all(['a', 'b'].map((id) => countByTool(store.read, id)))
    expect(kept).toMatchObject([[{ calls: 12 }], [{ calls: 3 }]])
  })
})

onBothEngines('monthly allowance', (engine) => {
  test('admits exactly its limit of calls, concurrent or not, and resets with the UTC month', async () => {
    await using store = await makeStore(engine)
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const end = Date.UTC(2030, 1, 1)
    await using allowance = new CallAllowance(store, { onError: () => {}, onReached: async () => {} })
    const take = (now: number, plan = 'free') => allowance.take({ accountId, plan, now })
    const taken = await Promise.all(Array.from({ length: 70 }, () => take(end - 1)))
    expect(taken.filter((refused) => refused === null)).toHaveLength(50)
    expect(await take(end - 1)).toEqual({ limit: 50, used: 50, resetsAt: end })
    expect(await take(end)).toBe(null)
    expect(await take(end - 1, 'unlimited')).toBe(null)
    expect(await take(end - 1)).toEqual({ limit: 50, used: 50, resetsAt: end })
  })
})
