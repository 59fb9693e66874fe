import { expect, test } from 'vitest'
import { SegmentCache } from './segment-cache.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'

const bytes = new SegmentBuilder().finish()

test('what was used longest ago goes when the cache is full', async () => {
  const loads: string[] = []
  const cache = new SegmentCache(async (id) => {
    loads.push(id)
    return bytes
  }, bytes.byteLength * 2)
  await cache.get('a')
  await cache.get('b')
  await cache.get('a')
  await cache.get('c')
  expect(cache.bytes).toBe(bytes.byteLength * 2)
  expect(cache.peek('a')).toBeDefined()
  expect(cache.peek('b')).toBeUndefined()
  await cache.get('b')
  expect(loads).toEqual(['a', 'b', 'c', 'b'])
})

test('one that is larger than the cache is given, and not kept', async () => {
  const cache = new SegmentCache(async () => bytes, 10)
  expect((await cache.get('a'))?.pageCount).toBe(0)
  expect(cache.bytes).toBe(0)
})

test('one that is gone is asked for again, and a failure is not kept either', async () => {
  const answers = [null, new Error('down'), bytes]
  const cache = new SegmentCache(async () => {
    const answer = answers.shift() ?? null
    if (answer instanceof Error) throw answer
    return answer
  }, 1_000_000)
  expect(await cache.get('a')).toBeNull()
  await expect(cache.get('a')).rejects.toThrow('down')
  expect(await cache.get('a')).not.toBeNull()
})
