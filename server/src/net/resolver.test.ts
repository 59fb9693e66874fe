import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createInternetCheck, createResolver } from './resolver.ts'

/** Type of the records that name the servers of a zone. */
const NS = 2

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/**
 * A name server that resolves names beginning with `known`, ignores `dead` ones, and denies all others. It knows the
 * zones in `zones`.
 */
async function nameServer(zones: readonly string[] = []) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const name = query.toString('latin1', 13, 13 + (query[12] ?? 0))
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const kind = question.readUInt16BE(question.length - 4)
    const isIPv4 = kind === 1
    asked.push(name)
    if (name.startsWith('dead')) return
    if (kind === NS && zones.includes(name)) {
      const record = Buffer.from([0xc0, 12, 0, NS, 0, 1, 0, 0, 0, 0, 0, 3, 1, 0x61, 0])
      const head = Buffer.from([0, 0, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
      query.copy(head, 0, 0, 2)
      socket.send(Buffer.concat([head, question, record]), from.port, from.address)
      return
    }
    const isKnown = name.startsWith('known')
    const address = isIPv4 ? [192, 0, 2, 7] : [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]
    const record = Buffer.from([0xc0, 12, 0, isIPv4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, address.length, ...address])
    const head = Buffer.from([0, 0, 0x85, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    socket.send(Buffer.concat([head, question, ...(isKnown ? [record] : [])]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  open.push(() => socket.close())
  const servers = [`127.0.0.1:${socket.address().port}`]
  return { resolve: createResolver(servers), knowsInternet: createInternetCheck(servers), asked }
}

test.each([
  ['of the internet', ['', 'com'], true],
  ['that refuses questions about the root', ['com'], true],
  ['of a network without internet', [], false],
])('recognises a name server %s', async (_, zones, expected) => {
  const { knowsInternet, asked } = await nameServer(zones)
  expect(await knowsInternet()).toBe(expected)
  // The answer is used again.
  await Promise.all([knowsInternet(), knowsInternet()])
  expect(asked.toSorted()).toEqual(['', 'com'])
})

const distinct = (asked: string[]) => new Set(asked).size

test('resolves a name to its addresses of both families, and an unknown one to none', async () => {
  const { resolve } = await nameServer()
  const found = await resolve('known.example', { account: 'a' })
  expect(found?.map(({ address }) => address).toSorted()).toEqual(['192.0.2.7', '2001:db8::7'])
  expect(await resolve('nobody.example', { account: 'a' })).toEqual([])
})

test('resolves names of this machine without a query', async () => {
  const { resolve, asked } = await nameServer()
  for (const name of ['localhost', 'a.localhost', 'LOCALHOST.']) {
    expect((await resolve(name, { account: 'a' }))?.map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
  }
  expect(asked).toEqual([])
})

test('does not let the dead names of accounts delay another account', async () => {
  const { resolve, asked } = await nameServer()
  const leaving = new AbortController()
  const { signal } = leaving
  const dead = Array.from({ length: 300 }, (_, n) => resolve(`dead${n}.example`, { account: `a${n % 3}`, signal }))
  let ended = 0
  for (const look of dead) void look.catch(() => {}).finally(() => (ended += 1))
  expect(await resolve('known.example', { account: 'other' })).toHaveLength(2)
  expect(ended).toBe(0)
  // Two names at a time for each of three accounts, however many are waiting.
  expect(distinct(asked.filter((name) => name.startsWith('dead')))).toBe(6)
  leaving.abort()
  await Promise.allSettled(dead)
})

test('cancels the running and waiting look-ups of a caller who leaves', async () => {
  const { resolve, asked } = await nameServer()
  const leaving = new AbortController()
  const { signal } = leaving
  const looks = Array.from({ length: 50 }, (_, n) => resolve(`dead${n}.example`, { account: 'a', signal }))
  await sleep(100)
  leaving.abort(new Error('left'))
  const ends = await Promise.allSettled(looks)
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(looks.map(() => 'Error: left'))
  expect(distinct(asked)).toBe(2)
  const before = asked.length
  expect(await resolve('known.example', { account: 'a' })).toHaveLength(2)
  await sleep(200)
  expect(asked.slice(before).filter((name) => name.startsWith('dead'))).toEqual([])
})

test('distinguishes a name with silent servers from an unknown one', async () => {
  const { resolve } = await nameServer()
  expect(await resolve('dead.example', { account: 'a' })).toBeNull()
})
