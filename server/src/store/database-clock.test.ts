import { expect, test } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

const DATABASE = 1_800_000_000_000

/** A node whose monotonic clock says 0 when the database's says `DATABASE`. */
function node() {
  let at = 0
  const clock = createDatabaseClock(
    () => at,
    () => 42,
  )
  const wait = (ms: number) => void (at += ms)
  /** Asks a database that is `ahead` of where it was, which answers in the middle of `roundTrip` or at `share` of it. */
  const ask = (roundTrip: number, { share = 0.5, ahead = 0 } = {}) => {
    const askedAt = at
    wait(roundTrip)
    clock.observe(DATABASE + askedAt + roundTrip * share + ahead, askedAt, at)
  }
  return { wait, ask, off: () => clock.now() - (DATABASE + at), now: clock.now }
}

test('goes by the own clock until the database has told', () => {
  expect(node().now()).toBe(42)
})

test('is wrong by half a round trip at most, whenever in it the database answered', () => {
  for (const share of [0, 0.25, 0.5, 1]) {
    const { ask, off, wait } = node()
    ask(40, { share })
    wait(1_000)
    expect(Math.abs(off())).toBeLessThanOrEqual(20)
  }
})

test('keeps the reading with the shorter round trip, and takes a longer one once that has aged', () => {
  const { ask, off, wait } = node()
  ask(2)
  ask(400, { share: 1 })
  expect(off()).toBe(0)
  // After 2,000 seconds the first may be off by 200 milliseconds, and the other is as good.
  wait(2_000_000)
  ask(400, { share: 1 })
  expect(off()).toBe(200)
})

test('follows a database whose clock was set, also by a slow reading', () => {
  const { ask, off } = node()
  ask(2)
  ask(400, { ahead: 60_000 })
  expect(off()).toBe(60_000)
})
