import { expect, test } from 'vitest'
import { SegmentCache } from './segment-cache.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'

const bytes = new SegmentBuilder().finish()

test('evicts the least recently used segment when full', async () => {
  const loads: string[] = []
  const cache = new SegmentCache(bytes.byteLength * 2)
  const load = async (id: string) => {
    loads.push(id)
    return bytes
  }
  await cache.get('a', load)
  await cache.get('b', load)
  await cache.get('a', load)
  await cache.get('c', load)
  expect(cache.bytes).toBe(bytes.byteLength * 2)
  expect(cache.peek('a')).toBeDefined()
  expect(cache.peek('b')).toBeUndefined()
  await cache.get('b', load)
  expect(loads).toEqual(['a', 'b', 'c', 'b'])
})

test('returns a segment larger than the cache without keeping it', async () => {
  const cache = new SegmentCache(10)
  const load = async () => bytes
  expect((await cache.get('a', load))?.pageCount).toBe(0)
  expect(cache.bytes).toBe(0)
})

test('caches neither missing segments nor failures', async () => {
  const answers = [null, new Error('down'), bytes]
  const cache = new SegmentCache(1_000_000)
  const load = async () => {
    const answer = answers.shift() ?? null
    if (answer instanceof Error) throw answer
    return answer
  }
  expect(await cache.get('a', load)).toBeNull()
  await expect(cache.get('a', load)).rejects.toThrow('down')
  expect(await cache.get('a', load)).not.toBeNull()
})
