import { expect, test } from 'vitest'
import { createKnownClients, readClientInfo } from './known-clients.ts'
import type { McpRequest } from './request.ts'

const request = (address = '192.0.2.1', headers: Record<string, string> = { 'User-Agent': 'node' }): McpRequest => ({
  method: 'POST',
  headers: new Headers(headers),
  body: '',
  address,
})
const agent = { name: 'agent', version: '3' }
const HOUR_MS = 60 * 60 * 1000

test('distinguishes clients by server, address, User-Agent and access token', () => {
  const clients = createKnownClients(() => 0)
  clients.remember('srv_1', request(), agent)
  expect(clients.find('srv_1', request())).toEqual(agent)
  expect(clients.find('srv_2', request())).toBeNull()
  expect(clients.find('srv_1', request('192.0.2.2'))).toBeNull()
  expect(clients.find('srv_1', request('192.0.2.1', { 'User-Agent': 'curl' }))).toBeNull()
  const token = { 'User-Agent': 'node', Authorization: 'Bearer dat_1' }
  expect(clients.find('srv_1', request('192.0.2.1', token))).toBeNull()
})

test('forgets a client a day after its last request', () => {
  let now = 0
  const clients = createKnownClients(() => now)
  clients.remember('srv_1', request(), agent)
  now = 23 * HOUR_MS
  expect(clients.find('srv_1', request())).toEqual(agent)
  now = 46 * HOUR_MS
  expect(clients.find('srv_1', request())).toEqual(agent)
  now = 70 * HOUR_MS
  expect(clients.find('srv_1', request())).toBeNull()
})

test('keeps the ten thousand most recent clients', () => {
  let now = 0
  const clients = createKnownClients(() => now)
  for (let n = 0; n < 10_000; n++) clients.remember('srv_1', request(`a${n}`), agent)
  now = HOUR_MS
  clients.find('srv_1', request('a0'))
  clients.remember('srv_1', request('one more'), agent)
  expect(clients.find('srv_1', request('a0'))).toEqual(agent)
  expect(clients.find('srv_1', request('a1'))).toBeNull()
})

test.each([
  [
    { name: 'x'.repeat(100), version: 'y'.repeat(100) },
    { name: 'x'.repeat(80), version: 'y'.repeat(40) },
  ],
  [{ name: 'a' }, { name: 'a', version: null }],
  [{ name: '' }, null],
  [{ name: 5 }, null],
  [null, null],
])('reads a client from %j', (info, client) => {
  expect(readClientInfo(info)).toEqual(client)
})
