import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cacheObjects } from './object-cache.ts'
import type { ObjectStore } from './object-store.ts'

const SIZE = 400
const bytesOf = (seed: number, length = SIZE) => new Uint8Array(length).fill(seed)
const keyOf = (data: Uint8Array) => `docent_a/acc/src/${hash('sha256', data)}.x`

/** A cache of objects in memory, whose reads are counted. */
function makeCache(options: { capacity?: number; mostWaiting?: number } = {}) {
  const folder = join(mkdtempSync(join(tmpdir(), 'docent-cache-')), 'copies')
  const objects = new Map<string, Uint8Array>()
  const errors: unknown[] = []
  let reads = 0
  const inner: ObjectStore = {
    put: async (key, data) => void objects.set(key, data),
    async get(key, into, part) {
      reads += 1
      const data = objects.get(key)
      if (data) into.set(part ? data.subarray(part.from, part.from + into.byteLength) : data)
      return data !== undefined
    },
    delete: async (keys) => keys.forEach((key) => objects.delete(key)),
    async *list() {},
  }
  const open = () =>
    cacheObjects(inner, {
      folder,
      capacity: 2 * SIZE,
      used: async (keys) => keys,
      onError: (error) => void errors.push(error),
      ...options,
    })
  let cache = open()
  const put = async (data: Uint8Array) => {
    await inner.put(keyOf(data), data)
    return data
  }
  return {
    folder,
    errors,
    put,
    files: () => readdirSync(folder).map((name) => join(folder, name)),
    /** True if the read of an object asked the inner store. */
    async asks(data: Uint8Array) {
      const before = reads
      const into = new Uint8Array(new SharedArrayBuffer(data.byteLength))
      expect(await cache.get(keyOf(data), into)).toBe(true)
      expect(Buffer.from(into)).toEqual(Buffer.from(data))
      return reads > before
    },
    /** Reads two bytes of an object. True if that asked the inner store. */
    async asksForPart(data: Uint8Array) {
      const before = reads
      const into = new Uint8Array(2)
      expect(await cache.get(keyOf(data), into, { from: 7, of: data.byteLength })).toBe(true)
      expect(into).toEqual(data.slice(7, 9))
      return reads > before
    },
    /** Waits for the copies. */
    settle: () => cache.delete([]),
    delete: (data: Uint8Array) => cache.delete([keyOf(data)]),
    async restart() {
      await cache.close?.()
      cache = open()
    },
    async [Symbol.asyncDispose]() {
      await cache.close?.()
      rmSync(join(folder, '..'), { recursive: true })
    },
  }
}

test('an object is copied whole when parts of it are read for the fourth time', async () => {
  await using at = makeCache()
  const one = await at.put(Uint8Array.from({ length: SIZE }, (_, byte) => byte & 255))
  for (let read = 0; read < 3; read++) expect(await at.asksForPart(one)).toBe(true)
  await at.settle()
  expect(at.files()).toEqual([])
  expect(await at.asksForPart(one)).toBe(true)
  await expect.poll(at.files).toHaveLength(1)
  await at.settle()
  expect(await at.asksForPart(one)).toBe(false)
  expect(await at.asks(one)).toBe(false)
})

test('as many copies are kept as fit, those that were used last, also after a restart', async () => {
  await using at = makeCache()
  const [one, two, three] = [await at.put(bytesOf(1)), await at.put(bytesOf(2)), await at.put(bytesOf(3))]
  expect([await at.asks(one), await at.asks(two)]).toEqual([true, true])
  await at.settle()
  expect([await at.asks(one), await at.asks(two), await at.asks(one)]).toEqual([false, false, false])
  expect(await at.asks(three)).toBe(true)
  await at.settle()
  expect(at.files()).toHaveLength(2)
  await at.restart()
  expect([await at.asks(one), await at.asks(three), await at.asks(two)]).toEqual([false, false, true])
  await at.settle()
  await at.delete(two)
  expect(at.files()).toHaveLength(1)
  expect(at.errors).toEqual([])
})

test('an object that is larger than the cache has no copy', async () => {
  await using at = makeCache({ capacity: SIZE })
  const [fits, large] = [await at.put(bytesOf(1)), await at.put(bytesOf(2, SIZE + 1))]
  for (const data of [fits, large]) await at.asks(data)
  await at.settle()
  expect([await at.asks(fits), await at.asks(large)]).toEqual([false, true])
})

test('the copies that wait for the disk are limited, and others are made at the next read', async () => {
  await using at = makeCache({ mostWaiting: 2 * SIZE, capacity: 9 * SIZE })
  const all = [await at.put(bytesOf(1)), await at.put(bytesOf(2)), await at.put(bytesOf(3))]
  await Promise.all(all.map((data) => at.asks(data)))
  await at.settle()
  expect(at.files()).toHaveLength(2)
  for (const [index, data] of all.entries()) expect(await at.asks(data)).toBe(index === 2)
  await at.settle()
  expect(at.files()).toHaveLength(3)
})

test('a copy that is damaged, cut off by a crash or missing is replaced', async () => {
  await using at = makeCache()
  const data = await at.put(bytesOf(1))
  await at.asks(data)
  for (const damage of [
    (path: string) => writeFileSync(path, bytesOf(2)),
    (path: string) => truncateSync(path, SIZE - 1),
    (path: string) => truncateSync(path, 0),
    (path: string) => rmSync(path),
  ]) {
    await at.settle()
    expect(await at.asks(data)).toBe(false)
    for (const path of at.files()) damage(path)
    expect(await at.asks(data)).toBe(true)
  }
  expect(at.errors).toEqual([])
})

test('a crash while a copy is written leaves a file that is not read, and counts until it is deleted', async () => {
  await using at = makeCache()
  const data = await at.put(bytesOf(1))
  await at.asks(data)
  await at.settle()
  // The copy has its name only when it is complete.
  const [path = ''] = at.files()
  rmSync(path)
  writeFileSync(`${path}.0123456789ab.unfinished`, data.subarray(0, SIZE - 1))
  await at.restart()
  expect(await at.asks(data)).toBe(true)
  await at.settle()
  expect(at.files()).toHaveLength(2)
  expect(await at.asks(await at.put(bytesOf(2)))).toBe(true)
  await at.settle()
  // Three do not fit, and the unfinished one is the oldest.
  expect(at.files().filter((name) => name.endsWith('unfinished'))).toEqual([])
  expect(await at.asks(data)).toBe(false)
})

test('a copy that cannot be written costs no answer', async () => {
  await using at = makeCache()
  const data = await at.put(bytesOf(1))
  rmSync(at.folder, { recursive: true })
  writeFileSync(at.folder, 'a file')
  expect([await at.asks(data), await at.asks(data)]).toEqual([true, true])
  await at.settle()
  expect(at.errors).toHaveLength(2)
})
