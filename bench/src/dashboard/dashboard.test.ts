import { expect, test } from 'vitest'
import { cumulativeShift } from './cumulative-shift.ts'
import { framesPerSecond } from './dashboard-crawl.ts'

const shift = (startTime: number, value: number) => ({ startTime, value })

test('sums the layout shifts of one window', () => {
  expect(cumulativeShift([])).toBe(0)
  expect(cumulativeShift([shift(0, 0.25), shift(999, 0.5)])).toBe(0.75)
})

test('ends a window of layout shifts after a gap of one second', () => {
  expect(cumulativeShift([shift(0, 0.25), shift(1_000, 0.5)])).toBe(0.5)
})

test('ends a window of layout shifts after five seconds', () => {
  const shifts = [0, 900, 1_800, 2_700, 3_600, 4_500].map((time) => shift(time, 0.125))
  expect(cumulativeShift([...shifts, shift(4_999, 0.125)])).toBe(0.875)
  expect(cumulativeShift([...shifts, shift(5_000, 0.125)])).toBe(0.75)
})

test('computes frames per second from the median and from the slowest 1 % of the intervals', () => {
  const intervals = [...Array.from({ length: 198 }, () => 16), 40, 60]
  expect(framesPerSecond(intervals)).toEqual({ framesPerSecond: 62.5, framesPerSecondSlowest1Percent: 20 })
  expect(framesPerSecond([])).toEqual({ framesPerSecond: null, framesPerSecondSlowest1Percent: null })
})
