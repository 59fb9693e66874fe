import { expect, test } from 'vitest'
import { createPatience } from './patience.ts'

test('a site of which nothing is known is waited for longest', () => {
  expect(createPatience().limits()).toEqual({ firstByteMs: 20_000, totalMs: 25_000 })
})

test.each([
  [5, 8_000],
  [120, 12_000],
  [900, 20_000],
])('one that answers in %i ms begins to within %i ms', (usual, firstByteMs) => {
  const patience = createPatience()
  patience.note(usual, true)
  expect(patience.limits()).toEqual({ firstByteMs, totalMs: 25_000 })
})

test('less is waited where much was in vain, and as before when answers come again', () => {
  const patience = createPatience()
  patience.note(5, true)
  patience.note(8_000, false)
  patience.note(8_000, false)
  expect(patience.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
  patience.note(8_000, false)
  expect(patience.limits()).toEqual({ firstByteMs: 2_000, totalMs: 4_000 })
  expect(patience.isWorthAnother(5)).toBe(false)
  for (let answers = 0; answers < 160; answers++) patience.note(5, true)
  expect(patience.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
})

test('what took long is not tried again', () => {
  const patience = createPatience()
  expect([patience.isWorthAnother(9_999), patience.isWorthAnother(10_000)]).toEqual([true, false])
})
