import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addSketch, compactSketch, emptyHistogram, percentilesOf, sketchOf } from './duration-sketch.ts'

const RANKS = [1, 50, 95, 99, 100]

function histogramOf(sketch: string) {
  const histogram = emptyHistogram()
  addSketch(histogram, sketch)
  return histogram
}

/** By nearest rank. */
const exact = (values: readonly number[], rank: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * rank) / 100) - 1] ?? 0

test('estimates percentiles with a relative error of at most 2%', () => {
  const durations = fc.array(fc.double({ min: 0.01, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(durations, (values) => {
      const found = percentilesOf(histogramOf(values.map(sketchOf).join('')), RANKS)
      for (const [at, rank] of RANKS.entries()) {
        const wanted = exact(values, rank)
        expect(Math.abs((found[at] ?? 0) - wanted)).toBeLessThanOrEqual(Math.max(wanted * 0.02, 0.01))
      }
    }),
  )
})

test('gives the same histogram in any order and however often it is compacted', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 100_000, noNaN: true })), fc.nat(), (values, cut) => {
      const sketches = values.map(sketchOf)
      const [some, rest] = [sketches.slice(0, cut).join(''), sketches.slice(cut).join('')]
      const joined = compactSketch(compactSketch(rest) + compactSketch(some))
      expect(histogramOf(joined)).toEqual(histogramOf(some + rest))
      expect(histogramOf(joined).total).toBe(values.length)
    }),
  )
})

test('reports no percentiles without durations', () => {
  expect(percentilesOf(histogramOf(''), [50, 99])).toEqual([null, null])
})

test('counts durations of zero as zero and absurd ones in the last bucket', () => {
  expect(percentilesOf(histogramOf(sketchOf(0)), [50])).toEqual([0])
  expect(sketchOf(Number.MAX_VALUE)).toBe('zz')
  expect(sketchOf(Infinity)).toBe('zz')
})

test('limits the size of a compacted sketch, however many durations it has', () => {
  const sketch = compactSketch(Array.from({ length: 20_000 }, (_, n) => sketchOf(1.0007 ** n)).join(''))
  expect(histogramOf(sketch).total).toBe(20_000)
  expect(sketch.length).toBeLessThan(676 * 5)
})
