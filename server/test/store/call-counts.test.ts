import { expect, test } from 'vitest'
import type { FinishedCall } from '#analytics/call-row.ts'
import { CallRecorder } from '#analytics/record-calls.ts'
import { rollUpDays } from '#analytics/settle-calls.ts'
import { createAccount } from '#auth/accounts.ts'
import { createPercentiles } from '#lib/duration-sketch.ts'
import {
  countByClient,
  countByName,
  countByNameAndPeriod,
  countByPeriod,
  countByTool,
} from '#store/calls/read-counts.ts'
import type { Store } from '#store/db.ts'
import { insertServer } from '#store/servers/servers.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'
import { finishedCall } from '../support/mcp/finished-call.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** A Monday at noon. */
const NOW = Date.UTC(2030, 0, 7, 12)
const TODAY = Math.floor(NOW / DAY_MS)
const ALL = { serverId: 'a', sinceDay: 0 }

async function addServer(store: Store): Promise<void> {
  const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const rest = { name: 'A', description: null, visibility: 'public' as const, tools: '[]', refresh: 'daily' as const }
  await insertServer(store.write, { id: 'a', accountId, slug: 'a', ...rest, ...times })
}

/** Records calls, each at its time. */
async function record(store: Store, calls: readonly (Partial<FinishedCall> & { at: number })[]): Promise<void> {
  let now = NOW
  const onError = (error: unknown) => expect.fail(String(error))
  await using recorder = new CallRecorder({ store: { ...store, clock: () => now }, onError })
  for (const { at, ...values } of calls) {
    now = at
    recorder.record('a', finishedCall(values))
  }
}

const DIMENSIONS = ['tool', 'client', 'configuration'] as const
/** With the sums of one dimension, and with two dimensions. */
const FILTERS = [
  {},
  { status: 'error' },
  { outcome: 'none' },
  { tool: 'ask_question' },
  { client: 'client-1' },
  { byWidgets: true },
] as const

/** Everything that reports read. */
async function reported({ read }: Store) {
  const days = await countByPeriod(read, ALL, 'day')
  const names = []
  for (const by of DIMENSIONS) {
    for (const filter of FILTERS) {
      const which = { ...ALL, ...filter }
      const counts = await countByName(read, which, { by, limit: 9 })
      const listed = counts.map(({ name }) => name)
      const points = await countByNameAndPeriod(read, which, { by, period: 'day', names: listed })
      const inOrder = points.map(({ durations: _, ...point }) => JSON.stringify(point)).toSorted()
      names.push({ by, filter, counts, points: inOrder, latency: latencyOf(points) })
    }
  }
  return {
    days: days.map(({ period, calls, failed }) => [period, calls, failed]),
    tools: await countByTool(read, 'a'),
    clients: await countByClient(read, ALL, 50),
    latency: latencyOf(days),
    names,
  }
}

const latencyOf = (counts: readonly { durations: string }[]) =>
  createPercentiles()(
    counts.map(({ durations }) => durations),
    [50, 95, 99],
  )

onBothEngines('counts of calls', (engine) => {
  test('keeps all figures when the hours of earlier days are joined', async () => {
    await using store = await makeStore(engine)
    await addServer(store)
    await record(
      store,
      Array.from({ length: 400 }, (_, n) => ({
        at: NOW - (n % 20) * DAY_MS - (n % 7) * HOUR_MS,
        tool: ['search_docs', 'ask_question'][n % 2] ?? '',
        client: n % 3 === 0 ? null : { name: `client-${n % 5}`, version: n % 4 === 0 ? null : '1' },
        outcome: n % 10 === 0 ? ('failed' as const) : n % 9 === 0 ? ('none' as const) : ('answered' as const),
        durationMs: 1 + (n % 50),
        ...(n % 6 === 0
          ? { attribution: { configurationId: `cfg-${n % 4}`, endUserId: null, callId: `call_${n}` } }
          : {}),
      })),
    )
    const before = await reported(store)
    expect(before.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(400)
    const countsOf = (by: string, filter: object) =>
      before.names
        .filter((one) => one.by === by && JSON.stringify(one.filter) === JSON.stringify(filter))
        .flatMap(({ counts }) => counts.map(({ name, calls, failed }) => [name, calls, failed]))
    expect(countsOf('configuration', {})).toEqual([
      ['cfg-0', 34, 7],
      ['cfg-2', 33, 7],
    ])
    expect(countsOf('tool', { client: 'client-1' })).toEqual([
      ['ask_question', 27, 0],
      ['search_docs', 26, 0],
    ])
    await Promise.all([rollUpDays(store, NOW), rollUpDays(store, NOW)])
    expect(await reported(store)).toEqual(before)
    const hours = await store.read.selectFrom('callHours').select('hour').execute()
    expect(Math.min(...hours.map(({ hour }) => hour))).toBeGreaterThanOrEqual((TODAY - 8) * 24)
    expect((await store.read.selectFrom('callDays').select('day').distinct().execute()).length).toBeGreaterThan(10)

    await record(store, [{ at: NOW - 15 * DAY_MS }])
    await rollUpDays(store, NOW)
    const late = await reported(store)
    expect(late.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(401)
    expect(
      await store.read
        .selectFrom('callHours')
        .select('hour')
        .where('hour', '<', (TODAY - 8) * 24)
        .execute(),
    ).toEqual([])
  })

  test('estimates percentiles of many calls and keeps their row small', async () => {
    await using store = await makeStore(engine)
    await addServer(store)
    await record(
      store,
      Array.from({ length: 3_000 }, (_, n) => ({ at: NOW, durationMs: n + 1 })),
    )
    const { latency } = await reported(store)
    for (const [at, exact] of [1_500, 2_850, 2_970].entries()) {
      expect(Math.abs((latency[at] ?? 0) / exact - 1)).toBeLessThanOrEqual(0.02)
    }
    const [row] = await store.read.selectFrom('callHours').selectAll().execute()
    expect(row?.calls).toBe(3_000)
    expect(row?.durations.length).toBeLessThan(2_500)
  })

  test('counts at most 200 clients of a server and day by name, and the rest together', async () => {
    await using store = await makeStore(engine)
    await addServer(store)
    const by = (n: number) => ({ at: NOW, client: { name: `client-${n}`, version: '1' } })
    await record(
      store,
      Array.from({ length: 199 }, (_, n) => by(n)),
    )
    // Another recorder reads the names of the first.
    await record(store, [by(199), by(200), by(201), by(0)])
    const clients = await countByClient(store.read, ALL, 300)
    expect(clients).toHaveLength(201)
    expect(clients.slice(0, 2).map(({ name, version, calls }) => [name, version, calls])).toEqual(
      expect.arrayContaining([
        ['client-0', '1', 2],
        ['(other)', null, 2],
      ]),
    )
    await record(store, [{ ...by(200), at: NOW + DAY_MS }])
    expect(await countByName(store.read, { ...ALL, client: 'client-200' }, { by: 'client', limit: 9 })).toMatchObject([
      { name: 'client-200', calls: 1 },
    ])
  })
})
