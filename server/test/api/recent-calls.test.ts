import { RECENT_DAYS } from '@docent/contract/operations/analytics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PATH = '/api/analytics'

type Recorded = { outcome?: 'answered' | 'failed'; in?: 'callHours' | 'callGroups' }

onBothEngines('calls of the last days', (engine) => {
  let docent: Docent
  let made = 0

  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const create = async (key = docent.key): Promise<{ serverId: string; slug: string }> => {
    const body = { name: 'Counted', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    return (await docent.request('POST', '/api/mcp/create', body, { key })).body
  }

  /** Counts a call that was made some days ago, in an hour or in the sum of a day. */
  const record = (
    serverId: string,
    daysAgo: number,
    { outcome = 'answered', in: table = 'callHours' }: Recorded = {},
  ) =>
    docent.inStore(async ({ write }) => {
      const at = Date.now() - daysAgo * DAY_MS
      const day = Math.floor(at / DAY_MS)
      const count = { serverId, outcome, calls: 1, durationMs: 1, durations: '', lastAt: at }
      if (table === 'callGroups')
        await write
          .insertInto('callGroups')
          .values({ ...count, day, dimension: 'all', name: '', version: '' })
          .execute()
      else
        await write
          .insertInto('callHours')
          .values({
            ...count,
            hour: day * 24,
            tool: `tool_${made++}`,
            clientName: '',
            clientVersion: '',
            configurationId: '',
          })
          .execute()
    })
  const read = async (key = docent.key) => (await docent.request('GET', PATH, undefined, { key })).body
  const of = async (serverId: string, key = docent.key) =>
    (await read(key)).servers.find((one: { serverId: string }) => one.serverId === serverId)

  test('counts the calls of each day, with the failed ones', async () => {
    const { serverId } = await create()
    for (const daysAgo of [0, 0, 1]) await record(serverId, daysAgo)
    await record(serverId, RECENT_DAYS - 1, { in: 'callGroups' })
    await record(serverId, 1, { outcome: 'failed' })
    expect(await of(serverId)).toEqual({
      serverId,
      calls: [1, 0, 0, 0, 0, 2, 2],
      failed: [0, 0, 0, 0, 0, 1, 0],
    })
    const { days } = await read()
    expect(days).toHaveLength(RECENT_DAYS)
    expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
  })

  test('leaves out older calls, servers without calls, and deleted servers', async () => {
    const [old, idle, deleted] = [await create(), await create(), await create()]
    await record(old.serverId, RECENT_DAYS)
    await record(deleted.serverId, 0)
    await docent.request('DELETE', `/api/mcp/${deleted.slug}`)
    const listed = (await read()).servers.map(({ serverId }: { serverId: string }) => serverId)
    for (const { serverId } of [old, idle, deleted]) expect(listed).not.toContain(serverId)
  })

  test('includes a call that was answered just now', async () => {
    const { serverId, slug } = await create()
    await docent.callTool(slug, 'search_docs', { query: 'anything' })
    expect((await of(serverId)).calls.at(-1)).toBe(1)
  })

  test('shows a key only the servers that it sees', async () => {
    const [seen, hidden] = [await create(), await create()]
    await record(seen.serverId, 0)
    await record(hidden.serverId, 0)
    const scoped = await docent.makeKey('owner@example.test', [seen.serverId])
    expect((await read(scoped)).servers.map(({ serverId }: { serverId: string }) => serverId)).toEqual([seen.serverId])
    const stranger = await docent.makeKey('stranger@example.test')
    expect((await read(stranger)).servers).toEqual([])
  })

  test('counts the calls of more servers than one read takes', async () => {
    const key = await docent.makeKey('many@example.test')
    const servers = []
    for (let n = 0; n < 21; n++) servers.push(await create(key))
    for (const { serverId } of servers) await record(serverId, 0)
    expect((await read(key)).servers).toHaveLength(21)
  })
})
