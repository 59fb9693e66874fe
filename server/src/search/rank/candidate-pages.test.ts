import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WEIGHTS } from '#search/weights.ts'
import { CandidatePages, ORDERED_PER_PAGE } from './accumulators.ts'

test('keeps the best passages of each page, and equal ones in insertion order', () => {
  const scores = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: ORDERED_PER_PAGE * 3 })
  fc.assert(
    fc.property(fc.array(scores, { minLength: 1, maxLength: 4 }), (pages) => {
      const candidates = new CandidatePages()
      candidates.reset(
        pages.map((_, row) => 100 + row),
        WEIGHTS.fusion,
      )
      for (const [row, given] of pages.entries())
        for (const [chunk, score] of given.entries()) candidates.addPassage(row, chunk, score)
      for (const [row, given] of pages.entries()) {
        const best = [...given.entries()].toSorted((a, b) => b[1] - a[1]).slice(0, ORDERED_PER_PAGE)
        const kept = Array.from({ length: candidates.passageCount(row) }, (_, place) => [
          candidates.passage(row, place),
          candidates.passageScore(row, place),
        ])
        expect(kept).toEqual(best)
      }
    }),
  )
})

test('forgets the pages of the previous question', () => {
  const candidates = new CandidatePages()
  candidates.reset([7, 8, 9], WEIGHTS.fusion)
  candidates.addPassage(0, 1, 1)
  candidates.set(0, 'feedback', 1)
  candidates.set(0, 'opening', 1)
  candidates.reset([5], WEIGHTS.fusion)
  expect(candidates.size).toBe(1)
  expect(candidates.pages[0]).toBe(5)
  expect(candidates.passageCount(0)).toBe(0)
  expect(candidates.passageScore(0, 0)).toBe(0)
  expect(candidates.featuresOf(0, { chunk: 0, headingPrecision: 0, wordOrder: 0 })).toMatchObject({
    feedback: 0,
    opening: 0,
  })
})
