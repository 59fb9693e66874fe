import { beforeEach, describe, expect, test } from 'vitest'
import type { SharedClient, SharedClients } from '#store/engine/shared-clients.ts'
import { createKnownClients, readClientInfo } from './known-clients.ts'
import type { McpRequest } from '../protocol/message.ts'

const request = (address = '192.0.2.1', headers: Record<string, string> = { 'User-Agent': 'node' }): McpRequest => ({
  headers: new Headers(headers),
  body: '',
  address,
})
const agent = { name: 'agent', version: '3' }
const HOUR_MS = 60 * 60 * 1000

test('distinguishes clients by server, address, User-Agent and access token', () => {
  const clients = createKnownClients({ clock: () => 0 })
  void clients.remember('srv_1', request(), agent)
  expect(clients.find('srv_1', request())).toEqual(agent)
  expect(clients.find('srv_2', request())).toBeNull()
  expect(clients.find('srv_1', request('192.0.2.2'))).toBeNull()
  expect(clients.find('srv_1', request('192.0.2.1', { 'User-Agent': 'curl' }))).toBeNull()
  const token = { 'User-Agent': 'node', Authorization: 'Bearer dat_1' }
  expect(clients.find('srv_1', request('192.0.2.1', token))).toBeNull()
})

test('forgets a client a day after its last request', () => {
  let now = 0
  const clients = createKnownClients({ clock: () => now })
  void clients.remember('srv_1', request(), agent)
  now = 23 * HOUR_MS
  expect(clients.find('srv_1', request())).toEqual(agent)
  now = 46 * HOUR_MS
  expect(clients.find('srv_1', request())).toEqual(agent)
  now = 70 * HOUR_MS
  expect(clients.find('srv_1', request())).toBeNull()
})

test('keeps the ten thousand most recent clients', () => {
  let now = 0
  const clients = createKnownClients({ clock: () => now })
  for (let n = 0; n < 10_000; n++) void clients.remember('srv_1', request(`a${n}`), agent)
  now = HOUR_MS
  void clients.find('srv_1', request('a0'))
  void clients.remember('srv_1', request('one more'), agent)
  expect(clients.find('srv_1', request('a0'))).toEqual(agent)
  expect(clients.find('srv_1', request('a1'))).toBeNull()
})

describe('clients shared with other nodes', () => {
  const rows = new Map<string, { client: SharedClient; at: number }>()
  const asked: string[] = []
  const shared: SharedClients = {
    async save(key, client, now) {
      asked.push('save')
      rows.set(key, { client, at: now })
    },
    async use(key, { after, now }) {
      asked.push('use')
      const row = rows.get(key)
      if (!row || row.at <= after) return null
      row.at = now
      return row.client
    },
    deleteUnused: async () => {},
  }
  let now = 0
  const clock = () => now
  beforeEach(() => {
    rows.clear()
    asked.length = 0
    now = 0
  })

  test('recognises a client of another node, and looks it up once an hour', async () => {
    const [one, other] = [createKnownClients({ clock, shared }), createKnownClients({ clock, shared })]
    await one.remember('srv_1', request(), agent)
    await one.remember('srv_1', request(), agent)
    expect(await other.find('srv_1', request())).toEqual(agent)
    for (now = 0; now < HOUR_MS; now += 60_000) expect(other.find('srv_1', request())).toEqual(agent)
    expect(asked).toEqual(['save', 'use'])
    expect(await other.find('srv_1', request())).toEqual(agent)
    expect(asked).toEqual(['save', 'use', 'use'])
  })

  test('looks up an unknown client once a minute', async () => {
    const clients = createKnownClients({ clock, shared })
    expect(await clients.find('srv_1', request())).toBeNull()
    for (now = 0; now < 60_000; now += 1_000) expect(clients.find('srv_1', request())).toBeNull()
    expect(asked).toEqual(['use'])
    expect(await clients.find('srv_1', request())).toBeNull()
    expect(asked).toEqual(['use', 'use'])
  })

  test('keeps the record of an active client for other nodes, and accepts a newer record', async () => {
    const [one, other] = [createKnownClients({ clock, shared }), createKnownClients({ clock, shared })]
    await one.remember('srv_1', request(), agent)
    now = 23 * HOUR_MS
    expect(await one.find('srv_1', request())).toEqual(agent)
    now = 46 * HOUR_MS
    const later = { name: 'agent', version: '4' }
    expect(await other.find('srv_1', request())).toEqual(agent)
    await other.remember('srv_1', request(), later)
    expect(await one.find('srv_1', request())).toEqual(later)
    now = 71 * HOUR_MS
    expect(await createKnownClients({ clock, shared }).find('srv_1', request())).toBeNull()
  })

  test('recognises its own clients while the store is unavailable', async () => {
    const errors: unknown[] = []
    const fail = () => Promise.reject(new Error('away'))
    const away: SharedClients = { save: fail, use: fail, deleteUnused: fail }
    const clients = createKnownClients({ clock, shared: away, onError: (error) => void errors.push(error) })
    await clients.remember('srv_1', request(), agent)
    now = HOUR_MS
    expect(await clients.find('srv_1', request())).toEqual(agent)
    expect(await clients.find('srv_1', request('192.0.2.2'))).toBeNull()
    expect(errors).toHaveLength(3)
  })
})

test.each([
  [
    { name: 'x'.repeat(100), version: 'y'.repeat(100) },
    { name: 'x'.repeat(80), version: 'y'.repeat(40) },
  ],
  [{ name: 'a' }, { name: 'a', version: null }],
  [{ name: 'a\0b' }, { name: 'a\uFFFDb', version: null }],
  [{ name: '' }, null],
  [{ name: 5 }, null],
  [null, null],
])('reads a client from %j', (info, client) => {
  expect(readClientInfo(info)).toEqual(client)
})
