import { expect, test } from 'vitest'
import { accountPlaces, nearestPlaces, serverPlaces } from './places.ts'

const servers = ['Hono', 'Sprocket manual', 'Widget handbook'].map((name) => ({
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  status: 'active',
}))
const all = [...accountPlaces(true, () => true), ...serverPlaces(servers)]
const names = (wanted: string) => nearestPlaces(wanted, all).map(({ name }) => name)

test('finds a screen by a misspelt address', () => {
  expect(names('/serverz')[0]).toBe('Servers')
  expect(names('/webhoks')[0]).toBe('Webhooks')
  expect(names('/developer')[0]).toBe('Developer portal')
})

test('finds the screen of a server by a misspelt address', () => {
  expect(names('/servers/sprocket-manual/toolz')[0]).toBe('Sprocket manual: Tools')
  expect(names('/servers/hono/setting')[0]).toBe('Hono: Settings')
})

test('finds nothing for an address that resembles no name', () => {
  expect(names('/xyzzy')).toEqual([])
  expect(names('/wp-login.php')).toEqual([])
})

test('offers no deleted server, and the instance to operators only', () => {
  expect(serverPlaces([{ name: 'Gone', slug: 'gone', status: 'deleted' }])).toEqual([])
  expect(accountPlaces(false, () => true).map(({ name }) => name)).not.toContain('Instance')
  expect(accountPlaces(true, () => true).map(({ name }) => name)).toContain('Instance')
})

test('offers no screen that the member may not use', () => {
  const names = accountPlaces(false, (id) => id !== 'webhooks.list').map(({ name }) => name)
  expect(names).not.toContain('Webhooks')
  expect(names).toContain('Widgets')
})
