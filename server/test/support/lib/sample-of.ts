import { inject } from 'vitest'

/** One of so many is tried in `npm test`. */
const SHARE = 8

/**
 * A fixed sample of hostile texts or of a large corpus, with another share for each `turn`, such as the number of a
 * reader. `npm run test:long` tries all.
 */
export const sampleOf = <T>(all: readonly T[], turn = 0, share = SHARE): readonly T[] =>
  inject('isLong') ? all : all.filter((_, at) => (at + turn) % share === 0)
