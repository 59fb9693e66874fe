import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import type { Db } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { LAST_KNOWN_MS, StoreUnavailableError } from '#store/engine/outages.ts'
import { createServedServers } from '#store/servers/served.ts'
import { deletePinRow, insertPin } from '#store/servers/pins.ts'
import { insertRule } from '#store/servers/retrieval-rules.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { makePlace, onBothEngines } from '../support/database/engines.ts'

const rule = {
  id: 'rule_1',
  serverId: 'srv_1',
  sourceId: null,
  naturalLanguage: 'Prefer the docs.',
  enabled: 1,
  priority: 0,
  effects: '[{"kind":"prefer_type","type":"docs","weight":1.5}]',
  createdAt: 1,
  updatedAt: 1,
}

const section = { sourceId: 'src_1', url: 'https://docs.example/a#b', heading: 'B', effect: 'first' as const }
const pin = { ...section, id: 'pin_1', serverId: 'srv_1', title: 'A', questions: '["How?"]', createdAt: 1 }

/** One server with one source, and two nodes that serve it. */
async function setUp(engine: 'sqlite' | 'postgres') {
  const place = await makePlace(engine)
  const store = await openStore({ database: place.database, onError: () => {} })
  const other = await openStore({ database: place.database, onError: () => {} })
  await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const at = Date.now()
  const server = { id: 'srv_1', accountId, slug: 'docs', name: 'Docs', visibility: 'public' as const, createdAt: at }
  await store.write
    .insertInto('servers')
    .values({ ...server, description: null, tools: '["search_docs"]', updatedAt: at })
    .execute()
  const given = { id: 'src_1', serverId: 'srv_1', url: 'https://docs.example/', type: 'docs' as const, label: null }
  await insertSourceRow(store.write, { ...newSourceRow({ ...given, createdAt: at }), crawlStatus: 'complete', run: 1 })
  return {
    store,
    other,
    find: createServedServers(store),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

onBothEngines('served server', (engine) => {
  test('keeps the list of pins until a pin changes', async () => {
    await using here = await setUp(engine)
    await insertPin(here.store.write, pin)
    const first = await here.find('docs')
    expect(first?.pins).toHaveLength(1)
    await here.store.write.updateTable('servers').set({ name: 'New' }).execute()
    const renamed = await here.find('docs')
    expect([renamed?.name, renamed?.pins === first?.pins]).toEqual(['New', true])
    await deletePinRow(here.store.write, pin)
    expect((await here.find('docs'))?.pins).toBeUndefined()
  })

  test('returns the same object by id and by slug while nothing changes', async () => {
    await using here = await setUp(engine)
    const server = await here.find('docs')
    expect(server).toMatchObject({ id: 'srv_1', plan: 'unlimited', sources: [{ id: 'src_1', segments: [] }] })
    expect(await here.find('docs')).toBe(server)
    expect(await here.find('srv_1')).toEqual(server)
    expect(await here.find('nothing')).toBeUndefined()
  })

  const changes: [string, (db: Db) => Promise<unknown>, object | undefined][] = [
    ['name', (db) => db.updateTable('servers').set({ name: 'New' }).execute(), { name: 'New' }],
    [
      'tools',
      (db) => db.updateTable('servers').set({ tools: '["ask_question"]' }).execute(),
      { tools: ['ask_question'] },
    ],
    [
      'visibility',
      (db) => db.updateTable('servers').set({ visibility: 'private' }).execute(),
      { visibility: 'private' },
    ],
    [
      'structured output',
      (db) => db.updateTable('servers').set({ structuredOutput: 1 }).execute(),
      { structuredOutput: true },
    ],
    ['plan of its account', (db) => db.updateTable('accounts').set({ plan: 'core' }).execute(), { plan: 'core' }],
    [
      'published version',
      (db) => db.updateTable('sources').set({ segments: '["seg_2"]' }).execute(),
      { sources: [{ segments: ['seg_2'] }] },
    ],
    [
      'rules',
      (db) => insertRule(db, rule),
      { rules: [{ id: 'rule_1', sourceId: null, effects: JSON.parse(rule.effects) }] },
    ],
    ['pins', (db) => insertPin(db, pin), { pins: [{ id: 'pin_1', ...section, questions: ['How?'] }] }],
    ['removed source', (db) => db.deleteFrom('sources').execute(), { sources: [] }],
    ['deletion', (db) => db.updateTable('servers').set({ deletedAt: 1 }).execute(), undefined],
  ]
  test.each(changes)('shows a change of its %s with the next request on every node', async (_, change, expected) => {
    await using here = await setUp(engine)
    const findThere = createServedServers(here.other)
    const served = await here.find('docs')
    expect(served).toBeDefined()
    expect(await findThere('docs')).toBeDefined()
    await change(here.store.write)
    // A request to another node comes in a later turn of its event loop.
    const later = setImmediate()
    expect(await here.find('docs')).not.toBe(served)
    await later
    for (const find of [here.find, findThere]) {
      const found = await find('docs')
      if (expected === undefined) expect(found).toBeUndefined()
      else expect(found).toMatchObject(expected)
    }
  })

  test('shows a change to a request that comes while an earlier one reads', async () => {
    await using here = await setUp(engine)
    await here.find('docs')
    const earlier = here.find('docs')
    await here.store.write.updateTable('servers').set({ name: 'New' }).execute()
    const later = [here.find('docs'), here.find('docs')]
    expect(await Promise.all(later)).toMatchObject([{ name: 'New' }, { name: 'New' }])
    expect(await earlier).toBeDefined()
  })

  test('does not read a server again after changes of other tables', async () => {
    await using here = await setUp(engine)
    const server = await here.find('docs')
    await here.store.write.insertInto('rateLimits').values({ key: 'k', hits: '', expiresAt: 1 }).execute()
    expect(await here.find('docs')).toBe(server)
  })
})

test.skipIf(inject('postgresUrl') === '')(
  'reads a server although a pooler has lost the plan of the query',
  async () => {
    await using here = await setUp('postgres')
    const plans = async () => {
      const query = sql<{ name: string }>`select name from pg_prepared_statements where name like 'docent%'`
      return (await query.execute(here.store.read)).rows
    }
    const server = await here.find('docs')
    expect(await plans()).toHaveLength(1)
    // The driver does not know of this.
    await sql`deallocate all`.execute(here.store.read)
    expect(await here.find('docs')).toBe(server)
    expect(await here.find('docs')).toBe(server)
    expect(await plans()).toEqual([])
  },
)

test('finds a known server for a bounded time while the database is away', async () => {
  await using here = await setUp('sqlite')
  let now = 0
  let isAway = false
  const store = {
    read: here.store.read,
    servedChanges: () => {
      if (isAway) throw new StoreUnavailableError('away', new Error('gone'))
      return here.store.servedChanges()
    },
  }
  const find = createServedServers(store, () => now)
  const server = await find('docs')
  isAway = true
  now = LAST_KNOWN_MS
  expect(await find('docs')).toBe(server)
  await expect(find('srv_1')).rejects.toThrow(StoreUnavailableError)
  now += 1
  await expect(find('docs')).rejects.toThrow(StoreUnavailableError)
  isAway = false
  expect(await find('docs')).toBe(server)
})
