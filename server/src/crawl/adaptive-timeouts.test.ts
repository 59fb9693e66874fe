import { expect, test } from 'vitest'
import { createAdaptiveTimeouts } from './adaptive-timeouts.ts'

/** Creates timeouts with a fake clock, which each try advances. */
function start() {
  let now = 0
  const timeouts = createAdaptiveTimeouts(() => now)
  const wait = (ms: number, outcome: 'page' | 'refusal' | 'nothing') => {
    now += ms
    timeouts.note(ms, outcome)
  }
  return { timeouts, wait }
}

test('gives an unknown site the longest timeouts', () => {
  expect(createAdaptiveTimeouts().limits()).toEqual({ firstByteMs: 20_000, totalMs: 25_000 })
})

test.each([
  [5, 8_000],
  [120, 12_000],
  [900, 20_000],
])('gives a site that answers in %i ms a first-byte timeout of %i ms', (usual, firstByteMs) => {
  const { timeouts, wait } = start()
  wait(usual, 'page')
  expect(timeouts.limits()).toEqual({ firstByteMs, totalMs: 25_000 })
})

test('shortens timeouts after long silence, and restores them after new pages', () => {
  const { timeouts, wait } = start()
  wait(5, 'page')
  wait(8_000, 'nothing')
  wait(8_000, 'nothing')
  expect(timeouts.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
  wait(8_000, 'nothing')
  expect(timeouts.limits()).toEqual({ firstByteMs: 2_000, totalMs: 4_000 })
  expect(timeouts.isWorthAnother(5)).toBe(false)
  for (let pages = 0; pages < 160; pages++) wait(5, 'page')
  expect(timeouts.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
})

test('counts parallel timeouts once', () => {
  const { timeouts, wait } = start()
  wait(5, 'page')
  wait(8_000, 'nothing')
  for (let lanes = 0; lanes < 20; lanes++) timeouts.note(8_000, 'nothing')
  expect(timeouts.isWorthAnother(8_000)).toBe(true)
})

test('does not retry after a slow failure', () => {
  const { timeouts } = start()
  expect([timeouts.isWorthAnother(9_999), timeouts.isWorthAnother(10_000)]).toEqual([true, false])
})

test('waits longer for a site after five pages, but not after refusals', () => {
  const { timeouts, wait } = start()
  for (let tries = 0; tries < 9; tries++) wait(5, 'refusal')
  for (let pages = 0; pages < 4; pages++) wait(5, 'page')
  expect(timeouts.shouldKeepWaiting()).toBe(false)
  wait(5, 'page')
  expect(timeouts.shouldKeepWaiting()).toBe(true)
})
