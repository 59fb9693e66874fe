import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopPages } from './accumulators.ts'

test('keeps the pages with the highest scores, and the first of equal ones', () => {
  const scores = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 })
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 8 }), (given, capacity) => {
      const top = new TopPages(capacity)
      for (const [page, score] of given.entries()) top.add(page, score / 7)
      const expected = [...given.keys()].toSorted((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b)
      expect([...top.pages()].toSorted((a, b) => a - b)).toEqual(expected.slice(0, capacity).toSorted((a, b) => a - b))
    }),
  )
})
