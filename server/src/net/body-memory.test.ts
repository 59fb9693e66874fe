import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SMALL_BODY, createBodyMemory } from './body-memory.ts'

const MB = 1 << 20
const { signal } = new AbortController()

test('does not count small bodies, however many there are', () => {
  const memory = createBodyMemory({ bodyBytes: 20 * MB })
  for (let n = 0; n < 100; n++) expect(memory.open(16 * MB).tryTake(SMALL_BODY)).toBe(true)
})

test('reserves the maximum size for a growing body, and makes the next one wait', async () => {
  const memory = createBodyMemory({ bodyBytes: 30 * MB })
  const [first, second] = [memory.open(16 * MB), memory.open(16 * MB)]
  expect([first.tryTake(SMALL_BODY), first.tryTake(1), second.tryTake(SMALL_BODY), second.tryTake(1)]).toEqual([
    true,
    true,
    true,
    false,
  ])
  // The first body has its whole reservation and does not wait.
  expect(first.tryTake(15 * MB - 1)).toBe(true)
  const waiting = second.take(1, signal)
  expect(await Promise.race([waiting, sleep(20, 'waiting')])).toBe('waiting')
  first.keep(2 * MB)
  await waiting
})

test('reclaims unused memory of a body', () => {
  const memory = createBodyMemory({ bodyBytes: 40 * MB })
  const [first, second] = [memory.open(30 * MB), memory.open(30 * MB)]
  first.tryTake(2 * MB)
  expect(second.tryTake(2 * MB)).toBe(false)
  first.keep(2 * MB)
  expect(second.tryTake(2 * MB)).toBe(true)
})

test('admits a body larger than the budget only alone', () => {
  const memory = createBodyMemory({ bodyBytes: 8 * MB })
  const first = memory.open(50 * MB)
  expect([first.tryTake(6 * MB), memory.open(50 * MB).tryTake(2 * MB), first.tryTake(30 * MB)]).toEqual([
    true,
    false,
    true,
  ])
})

test('counts downloads separately, by received bytes', async () => {
  const memory = createBodyMemory({ bodyBytes: 8 * MB, downloadBytes: 10 * MB })
  const [first, second] = [memory.open(128 * MB), memory.open(128 * MB)]
  expect([first.tryTake(6 * MB), second.tryTake(4 * MB), second.tryTake(1)]).toEqual([true, true, false])
  expect(memory.open(16 * MB).tryTake(2 * MB)).toBe(true)
})
