import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.ts'

test('evicts the least recently used value when full and reports it', () => {
  const evicted: string[] = []
  const cache = new ByteCache<string>(10, (key) => evicted.push(key))
  for (const key of ['a', 'b']) cache.set(key, key, 5)
  expect([cache.get('a'), cache.bytes, evicted]).toEqual(['a', 10, []])
  cache.set('c', 'c', 1)
  expect([[...cache.keys()], cache.bytes, evicted]).toEqual([['a', 'c'], 6, ['b']])
})

test('keeps a value larger than the cache alone, until the next one comes', () => {
  const cache = new ByteCache<string>(10)
  cache.set('fits', '', 10)
  expect(cache.get('fits')).toBe('')
  cache.set('too large', '', 11)
  expect([[...cache.keys()], cache.get('too large'), cache.bytes]).toEqual([['too large'], '', 11])
  cache.set('fits', '', 10)
  expect([[...cache.keys()], cache.bytes]).toEqual([['fits'], 10])
})

test('deletes values unused for several rounds', () => {
  const cache = new ByteCache<string>(10)
  cache.set('idle', '', 1)
  cache.set('used', '', 1)
  cache.deleteUnused(2)
  cache.deleteUnused(2)
  expect([...cache.keys()]).toEqual(['idle', 'used'])
  cache.get('used')
  cache.deleteUnused(2)
  expect([[...cache.keys()], cache.bytes]).toEqual([['used'], 1])
})
