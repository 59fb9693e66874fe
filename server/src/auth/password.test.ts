import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LimiterFullError } from '#lib/limits/fair-limiter.ts'
import { createPasswordChecks } from './password.ts'

const { signal } = new AbortController()

test.each([
  [1, 1],
  [7, 1],
  [8, 2],
])('on %i cores checks at most %i passwords at a time across all networks', async (cores, most) => {
  let [running, seen] = [0, 0]
  const check = createPasswordChecks(async () => {
    seen = Math.max(seen, ++running)
    await sleep(2)
    running--
    return false
  }, cores)
  await Promise.all(Array.from({ length: 30 }, (_, n) => check('guess', 'hash', { network: `n${n}`, signal })))
  expect(seen).toBe(most)
})

test('serves a person during password guesses from one network, and refuses the guesses beyond ten', async () => {
  const done: string[] = []
  const check = createPasswordChecks(async (password) => {
    done.push(password)
    await sleep(2)
    return password === 'right'
  }, 1)
  const guesses = Array.from({ length: 30 }, () => check('guess', 'hash', { network: 'bad', signal }))
  const results = Promise.allSettled(guesses)
  expect(await check('right', 'hash', { network: 'good', signal })).toBe(true)
  expect(done.indexOf('right')).toBeLessThan(3)
  const refused = (await results).filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(19)
  expect(refused[0]?.reason).toBeInstanceOf(LimiterFullError)
})
