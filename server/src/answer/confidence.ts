import type { Passage } from '#search/passage.ts'
import type { Confidence } from './answer.ts'
import { covered, share } from './score-units.ts'

/** Shares of the question that one passage must cover, found on questions with and without an answer in the sources. */
const LOW = 0.35
const MEDIUM = 0.6
const HIGH = 0.85

/** The best passage stands out when the fifth scores at most this share of it. */
const CLEAR_MARGIN = 0.8

/**
 * How well the sources answer: by the weighted share of the question that a single passage with its headings covers,
 * since words scattered over many pages answer nothing, and by how far the best passage stands out from the rest.
 */
export function confidenceOf(passages: readonly Passage[], weights: ReadonlyMap<string, number>): Confidence {
  const asked = new Set(weights.keys())
  const coverage = Math.max(
    0,
    ...passages.map(({ title, heading, passage }) =>
      share(covered(`${title}\n${heading}\n${passage}`, asked), weights),
    ),
  )
  if (coverage < LOW) return 'none'
  if (coverage < MEDIUM) return 'low'
  return coverage >= HIGH && standsOut(passages) ? 'high' : 'medium'
}

function standsOut(passages: readonly Passage[]): boolean {
  const scores = passages.map(({ score }) => score).toSorted((a, b) => b - a)
  const [best = 0] = scores
  const fifth = scores[4] ?? 0
  return best > 0 && fifth <= best * CLEAR_MARGIN
}
