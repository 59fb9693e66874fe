import { promises as dns } from 'node:dns'
import { describe, expect, test, vi } from 'vitest'
import { checkUrl } from './check-url.ts'
import { type Guard, admitAddresses, guardedLookup, refusalOf, refuseHost } from './guard.ts'
import { parseNetworks } from './judge-address.ts'
import { type NetError, toNetError } from './net-error.ts'

/** Look-ups of the system. */
const lookUp = (host: string) => dns.lookup(host, { all: true }).catch(() => [])
const resolvesToPrivate = async (url: string, guard: Guard) => (await refusalOf(checkUrl(url), guard, lookUp)) !== null
const NONE = parseNetworks('')
const LOOPBACK = parseNetworks('127.0.0.0/8')

function admitted(host: string, addresses: string[], networks = NONE) {
  const list = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return admitAddresses(host, list, networks).usable?.map(({ address }) => address) ?? null
}

describe('resolved addresses of a name', () => {
  test('allows all addresses of a name if all are public', () => {
    expect(admitted('a.dev', ['8.8.8.8', '2606:2800:220:1::1'])).toEqual(['8.8.8.8', '2606:2800:220:1::1'])
  })

  test('allows no address of a name if one is private', () => {
    expect(admitted('a.dev', ['8.8.8.8', '10.0.0.1'])).toBeNull()
  })

  test('allows only the addresses in allowed networks', () => {
    expect(admitted('localhost', ['::1', '127.0.0.1'], LOOPBACK)).toEqual(['127.0.0.1'])
    expect(admitted('a.dev', ['8.8.8.8', '127.0.0.1'], LOOPBACK)).toEqual(['127.0.0.1'])
    expect(admitted('a.dev', ['8.8.8.8', '10.0.0.1'], LOOPBACK)).toBeNull()
  })

  test.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'nas.home.arpa',
    'x.svc',
  ])('allows no address for %s, whatever it resolves to', (host) => {
    expect(admitted(host, ['8.8.8.8'])).toBeNull()
    expect(refuseHost(host, NONE)).toMatchObject({ name: 'NetError', reason: 'blocked_address' })
  })

  test('accepts public names that resemble local ones', () => {
    for (const host of ['localhost.dev', 'internal.a.dev', 'mylocal', 'local.a.dev']) {
      expect(admitted(host, ['8.8.8.8'])).toEqual(['8.8.8.8'])
    }
  })
})

describe('socket look-ups', () => {
  /** System look-ups that finish on request. */
  function heldLookups() {
    const asked: string[] = []
    const ends: (() => void)[] = []
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(((host: string) => {
      asked.push(host)
      return new Promise((resolve) => ends.push(() => resolve([{ address: '8.8.8.8', family: 4 }])))
    }) as never)
    return { asked, end: () => ends.shift()?.(), [Symbol.dispose]: () => spy.mockRestore() }
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  test('runs one look-up per domain at a time, so that dead name servers block one thread', async () => {
    using held = heldLookups()
    const lookup = guardedLookup({ networks: NONE })(443)
    const found: unknown[] = []
    for (const host of ['a.dead.example', 'b.dead.example', 'DEAD.example.', 'other.test']) {
      lookup(host, {}, (_, address) => void found.push(address))
    }
    await settle()
    expect(held.asked).toEqual(['a.dead.example', 'other.test'])
    held.end()
    await settle()
    expect(held.asked).toEqual(['a.dead.example', 'other.test', 'b.dead.example'])
    held.end()
    await settle()
    expect(found).toEqual(['8.8.8.8', '8.8.8.8'])
    held.end()
    await settle()
    held.end()
    await settle()
    expect(found).toHaveLength(4)
  })

  test.each([
    ['nobody.example.com', false, 'NO_INTERNET'],
    ['nobody.example.com', true, 'ENOTFOUND'],
    ['nobody.example', false, 'ENOTFOUND'],
    ['nobody.invalid.', false, 'ENOTFOUND'],
  ])('distinguishes the unknown name %s from a missing network (internet: %s)', async (host, knows, code) => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    const spy = vi.spyOn(dns, 'lookup').mockRejectedValue(unknown)
    const lookup = guardedLookup({ networks: NONE, knowsInternet: async () => knows })(443)
    const error = await new Promise<Error | null>((resolve) => {
      lookup(host, {}, resolve)
    })
    spy.mockRestore()
    expect(error).toMatchObject({ code })
    const { reason, message, transient } = toNetError(error, `https://${host}/`) as NetError
    expect([reason, transient]).toEqual(['dns', false])
    expect(message.includes('spelling')).toBe(code === 'ENOTFOUND')
  })

  test('limits all look-ups together if the client sets a limit', async () => {
    using held = heldLookups()
    const lookup = guardedLookup({ networks: NONE, lookupsAtOnce: 1 })(443)
    for (const host of ['a.example', 'b.test']) lookup(host, {}, () => {})
    await settle()
    expect(held.asked).toEqual(['a.example'])
    held.end()
    await settle()
    expect(held.asked).toEqual(['a.example', 'b.test'])
    held.end()
  })
})

describe('private URL check', () => {
  test.each([
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://[::ffff:7f00:1]/',
    'http://localhost:3000/',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'http://１２７.0.0.1/',
    'https://10.0.0.1/docs',
  ])('reports %s as private', async (url) => {
    expect(await resolvesToPrivate(url, { networks: NONE })).toBe(true)
  })

  test('does not report a public, allowed or unknown host', async () => {
    expect(await resolvesToPrivate('https://8.8.8.8/', { networks: NONE })).toBe(false)
    expect(await resolvesToPrivate('http://127.0.0.1:4500/', { networks: LOOPBACK })).toBe(false)
    expect(await resolvesToPrivate('http://localhost:4500/', { networks: LOOPBACK })).toBe(false)
    expect(await resolvesToPrivate('https://does-not-exist.invalid/', { networks: NONE })).toBe(false)
  })

  test.each([
    ['ftp://a.dev/', 'does not start with http'],
    ['javascript:alert(1)', 'does not start with http'],
    ['//a.dev/', 'is not a URL'],
    ['', 'is not a URL'],
    ['http://', 'is not a URL'],
    ['http://user:secret@a.dev/', 'user name or password'],
    ['http://a.dev:6379/', null],
    ['http://a.dev:25/', 'Port 25'],
    [`http://a.dev/${'x'.repeat(9_000)}`, 'longer than'],
  ])('judges %s by its syntax', (url, problem) => {
    if (problem === null) expect(checkUrl(url).href).toBe(url)
    else expect(() => checkUrl(url)).toThrow(problem)
    if (problem !== null) expect(() => checkUrl(url)).not.toThrow('secret')
  })
})
