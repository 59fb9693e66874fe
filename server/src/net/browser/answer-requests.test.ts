import { expect, test } from 'vitest'
import { createAssetCache } from './answer-requests.ts'

const asset = (body: string) => ({ status: 200, headers: [], body })

test('keeps the most recently used scripts within its size', () => {
  const cache = createAssetCache({ maxCharacters: 10 })
  cache.set('a', asset('12345'))
  cache.set('b', asset('12345'))
  expect(cache.get('a')).toBeDefined()
  cache.set('c', asset('1'))
  expect(cache.get('b')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
  cache.set('a', asset('1234567'))
  expect(cache.get('c')).toBeDefined()
  cache.set('d', asset('12345678901'))
  expect(['a', 'b', 'c', 'd'].filter((url) => cache.get(url))).toEqual([])
})

test('expires scripts after a while', () => {
  let now = 0
  const cache = createAssetCache({ keepMs: 100, now: () => now })
  cache.set('a', asset('1'))
  now = 99
  expect(cache.get('a')).toBeDefined()
  now = 100
  expect(cache.get('a')).toBeUndefined()
})
