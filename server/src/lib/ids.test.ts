import { expect, test } from 'vitest'
import { createTimedIds } from './ids.ts'

test('makes ids that sort by time and have 20 random characters each', () => {
  const newId = createTimedIds('call')
  const ids = Array.from({ length: 2_000 }, (_, n) => newId(1_000_000_000_000 + n))
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^call_[0-9a-z]{9}[0-9A-Za-z]{20}$/)
  const chances = ids.map((id) => id.slice(-20))
  expect(new Set(chances).size).toBe(ids.length)
  // 40,000 characters, evenly from 62: each about 645 times.
  const counts = Map.groupBy(chances.join(''), (character) => character)
  expect(counts.size).toBe(62)
  for (const { length } of counts.values()) expect(Math.abs(length - 645)).toBeLessThan(200)
})
