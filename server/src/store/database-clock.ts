/** How far a node's own clock may wander between two readings: ten times what a quartz does. */
const DRIFT = 1e-4

export type DatabaseClock = {
  /** The time by the database, in milliseconds since 1970. */
  now(): number
  /** Takes note of the time that the database told, and of when, by the monotonic clock, it was asked and heard. */
  observe(told: number, askedAt: number, heardAt: number): void
}

/**
 * A clock that goes by the database's, without asking it each time. A reading is as good as its round trip is short
 * (Cristian 1989), and gets worse with age; a better one takes its place, and so does one that proves it wrong. Between
 * readings it goes by the monotonic clock, which nobody sets.
 */
export function createDatabaseClock(monotonic: () => number, before: () => number): DatabaseClock {
  let best: { offset: number; doubt: number; heardAt: number } | null = null
  return {
    now: () => Math.floor(best ? monotonic() + best.offset : before()),
    observe(told, askedAt, heardAt) {
      const doubt = (heardAt - askedAt) / 2
      const offset = told - (askedAt + heardAt) / 2
      const aged = best ? best.doubt + (heardAt - best.heardAt) * DRIFT : Number.POSITIVE_INFINITY
      // The database tells whole milliseconds.
      const isWrong = best !== null && Math.abs(offset - best.offset) > doubt + aged + 1
      if (doubt <= aged || isWrong) best = { offset, doubt, heardAt }
    },
  }
}
