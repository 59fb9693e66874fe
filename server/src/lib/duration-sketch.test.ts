import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactSketch, createPercentiles, sketchOf } from './duration-sketch.ts'

const RANKS = [1, 50, 95, 99, 100]

const percentilesOf = createPercentiles()

/** Durations that a sketch counts. */
function countOf(sketch: string): number {
  const counts = sketch.match(/[a-z]{2}\d*/g) ?? []
  return counts.reduce((sum, count) => sum + (Number(count.slice(2)) || 1), 0)
}

/** By nearest rank. */
const exact = (values: readonly number[], rank: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * rank) / 100) - 1] ?? 0

test('estimates percentiles with a relative error of at most 2%', () => {
  const durations = fc.array(fc.double({ min: 0.01, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(durations, (values) => {
      const found = percentilesOf([values.map(sketchOf).join('')], RANKS)
      for (const [at, rank] of RANKS.entries()) {
        const wanted = exact(values, rank)
        expect(Math.abs((found[at] ?? 0) - wanted)).toBeLessThanOrEqual(Math.max(wanted * 0.02, 0.01))
      }
    }),
  )
})

test('gives the same sketch in any order and however often it is compacted', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 100_000, noNaN: true })), fc.nat(), (values, cut) => {
      const sketches = values.map(sketchOf)
      const [some, rest] = [sketches.slice(0, cut).join(''), sketches.slice(cut).join('')]
      const joined = compactSketch(compactSketch(rest) + compactSketch(some))
      expect(joined).toBe(compactSketch(some + rest))
      expect(countOf(joined)).toBe(values.length)
      expect(percentilesOf([rest, some], RANKS)).toEqual(percentilesOf([joined], RANKS))
    }),
  )
})

test('reports no percentiles without durations', () => {
  expect(percentilesOf(['', ''], [50, 99])).toEqual([null, null])
})

test('counts durations of zero as zero and absurd ones in the last bucket', () => {
  expect(percentilesOf([sketchOf(0)], [50])).toEqual([0])
  expect(sketchOf(Number.MAX_VALUE)).toBe('zz')
  expect(sketchOf(Infinity)).toBe('zz')
})

test('limits the size of a compacted sketch, however many durations it has', () => {
  const sketch = compactSketch(Array.from({ length: 20_000 }, (_, n) => sketchOf(1.0007 ** n)).join(''))
  expect(countOf(sketch)).toBe(20_000)
  expect(sketch.length).toBeLessThan(676 * 5)
})
