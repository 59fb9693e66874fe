import { expect, test } from 'vitest'
import { type Held, fullAccounts, hasRoom, inOrderOfYielding } from './slots.ts'
import { UNANSWERED_MS } from './worker.ts'

/** A job of an account that began `ageMs` ago and waits for its host for another `pauseMs`. */
function hold(accountId: string, { ageMs = 0, pauseMs = 0 } = {}): Held {
  const job = { id: 1, kind: 'ingest' as const, payload: '{}', attempts: 1, fence: 1, accountId }
  return { job, since: performance.now() - ageMs, slice: new AbortController(), pauseMs: () => pauseMs }
}
const LIMITS = { sliceMs: 10_000, slots: 4, perAccount: 3 }
const several = (count: number, ...given: Parameters<typeof hold>) =>
  Array.from({ length: count }, () => hold(...given))

test('admits a job while fewer jobs than slots are working', () => {
  expect(hasRoom([], 2)).toBe(true)
  expect(hasRoom(several(1, 'a'), 2)).toBe(true)
  expect(hasRoom(several(2, 'a'), 2)).toBe(false)
})

test.each([
  [1_000, false],
  [1_001, true],
])('admits a job beside jobs that wait %i ms for their hosts: %s', (pauseMs, room) => {
  expect(hasRoom(several(2, 'a', { pauseMs }), 2)).toBe(room)
})

test.each([
  [7, true],
  [8, false],
])('admits a job with %i waiting jobs for two slots: %s', (waiting, room) => {
  expect(hasRoom(several(waiting, 'a', { pauseMs: 60_000 }), 2)).toBe(room)
})

test.each([
  [63, true],
  [64, false],
])('admits a job with %i jobs whose hosts have not answered: %s', (unanswered, room) => {
  const held = several(unanswered, 'a', { pauseMs: Infinity })
  expect(hasRoom(held, 2)).toBe(room)
  expect(fullAccounts(held, 3)).toEqual([])
  expect(inOrderOfYielding(held, LIMITS)).toEqual([])
})

test('starts the source of an account behind thirty whose hosts never answer within ten seconds', () => {
  const held: Held[] = []
  let now = 0
  while (held.length < 31 && now < 60_000) {
    const isAdmitted = hasRoom(held, 4) && !fullAccounts(held, 3).includes('a')
    const since = now
    // The worker looks again when a host has not answered for this time.
    if (!isAdmitted) now += UNANSWERED_MS + 1
    else held.push({ ...hold('a'), pauseMs: () => (now - since > UNANSWERED_MS ? Infinity : 0) })
  }
  expect([held.length, now]).toEqual([31, 10 * (UNANSWERED_MS + 1)])
  expect(now).toBeLessThanOrEqual(10_000)
})

test('counts an account as full at its limit of working jobs', () => {
  expect(fullAccounts([...several(2, 'a'), ...several(1, 'b')], 3)).toEqual([])
  expect(fullAccounts([...several(3, 'a'), ...several(1, 'b')], 3)).toEqual(['a'])
})

test('counts an account as full at twice its limit of jobs waiting for hosts', () => {
  expect(fullAccounts(several(5, 'a', { pauseMs: 60_000 }), 3)).toEqual([])
  expect(fullAccounts(several(6, 'a', { pauseMs: 60_000 }), 3)).toEqual(['a'])
})

test('asks no job to yield before the end of its time slice', () => {
  expect(inOrderOfYielding([hold('a', { ageMs: 9_000 })], LIMITS)).toEqual([])
  expect(inOrderOfYielding([hold('a', { ageMs: 10_000 })], LIMITS)).toHaveLength(1)
})

test('asks jobs beyond the slots of their account, or of all, to yield at once', () => {
  expect(inOrderOfYielding(several(3, 'a'), LIMITS)).toEqual([])
  expect(inOrderOfYielding(several(4, 'a'), LIMITS)).toHaveLength(4)
  const [ofA, ofB] = [several(2, 'a'), several(2, 'b')]
  expect(inOrderOfYielding([...ofA, ...ofB], LIMITS)).toEqual([])
  expect(inOrderOfYielding([...ofA, ...ofB, hold('b')], LIMITS)[0]?.job.accountId).toBe('b')
})

test('asks jobs that wait for a host first, then those of the account with the most jobs', () => {
  const waits = hold('b', { pauseMs: 60_000 })
  const [older, newer] = [hold('a', { ageMs: 20_000 }), hold('a', { ageMs: 15_000 })]
  const alone = hold('c', { ageMs: 90_000 })
  expect(inOrderOfYielding([alone, newer, older, waits], LIMITS)).toEqual([waits, older, newer, alone])
})

test('does not ask a job to yield that was asked before', () => {
  const one = hold('a', { ageMs: 20_000 })
  one.slice.abort()
  expect(inOrderOfYielding([one], LIMITS)).toEqual([])
})
