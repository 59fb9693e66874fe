import { expect, test } from 'vitest'
import { createDatabaseClock } from './postgres.ts'

const DATABASE = 1_800_000_000_000

/** A node whose monotonic clock is 0 when the database's is `DATABASE`. */
function node() {
  let at = 0
  const clock = createDatabaseClock(
    () => at,
    () => 42,
  )
  const wait = (ms: number) => void (at += ms)
  /** Queries a database whose clock is `ahead` of its previous setting, and which answers at `share` of `roundTrip`. */
  const ask = (roundTrip: number, { share = 0.5, ahead = 0 } = {}) => {
    const askedAt = at
    wait(roundTrip)
    clock.observe(DATABASE + askedAt + roundTrip * share + ahead, askedAt, at)
  }
  return { wait, ask, off: () => clock.now() - (DATABASE + at), now: clock.now }
}

test('uses the local clock until the first reading', () => {
  expect(node().now()).toBe(42)
})

test('errs by at most half a round trip, whenever the database answered', () => {
  for (const share of [0, 0.25, 0.5, 1]) {
    const { ask, off, wait } = node()
    ask(40, { share })
    wait(1_000)
    expect(Math.abs(off())).toBeLessThanOrEqual(20)
  }
})

test('keeps the reading with the shorter round trip until it has aged', () => {
  const { ask, off, wait } = node()
  ask(2)
  ask(400, { share: 1 })
  expect(off()).toBe(0)
  // After 2,000 seconds the first reading may be off by 200 milliseconds, like the other one.
  wait(2_000_000)
  ask(400, { share: 1 })
  expect(off()).toBe(200)
})

test('follows a database whose clock was reset, even by a slow reading', () => {
  const { ask, off } = node()
  ask(2)
  ask(400, { ahead: 60_000 })
  expect(off()).toBe(60_000)
})
