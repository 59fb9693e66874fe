/** Maximum drift of a node's clock between two readings: ten times that of a quartz. */
const DRIFT = 1e-4

export type DatabaseClock = {
  /** Current time by the database, in milliseconds since 1970. */
  now(): number
  /** Records a reading of the database's clock, with the monotonic times of the query and its answer. */
  observe(told: number, askedAt: number, heardAt: number): void
}

/**
 * A clock that follows the database's without a query per reading. A reading is more accurate with a short round trip
 * (Cristian 1989), and less with age. It is replaced by a more accurate one, or by one that contradicts it. Between
 * readings the monotonic clock is used, which cannot be set.
 */
export function createDatabaseClock(monotonic: () => number, before: () => number): DatabaseClock {
  let best: { offset: number; doubt: number; heardAt: number } | null = null
  return {
    now: () => Math.floor(best ? monotonic() + best.offset : before()),
    observe(told, askedAt, heardAt) {
      const doubt = (heardAt - askedAt) / 2
      const offset = told - (askedAt + heardAt) / 2
      const aged = best ? best.doubt + (heardAt - best.heardAt) * DRIFT : Number.POSITIVE_INFINITY
      // The database reports whole milliseconds.
      const isWrong = best !== null && Math.abs(offset - best.offset) > doubt + aged + 1
      if (doubt <= aged || isWrong) best = { offset, doubt, heardAt }
    },
  }
}
