import { expect, test } from 'vitest'
import { SegmentCache } from './segment-cache.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'

const bytes = new SegmentBuilder().finish()

test('what was used longest ago goes when the cache is full', async () => {
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

test('one that is larger than the cache is given, and not kept', async () => {
  const cache = new SegmentCache(10)
  const load = async () => bytes
  expect((await cache.get('a', load))?.pageCount).toBe(0)
  expect(cache.bytes).toBe(0)
})

test('one that is gone is asked for again, and a failure is not kept either', async () => {
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
