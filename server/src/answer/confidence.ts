import type { Confidence } from './answer.ts'
import type { Found } from './found.ts'
import { share } from './score-units.ts'
import { questionTerms, termsOf } from './terms.ts'

/**
 * Minimum sureness for each confidence. Chosen with `npm run bench -- answer` on seven collections, each asked its own
 * 992 questions and 913 of the others. Own questions: 3 % lie below `low`, 20 % below `medium`, 63 % below `high`.
 * Others: 70 %, 91 % and 98 %. Fitting gave both halves of the measure equal weight.
 */
const LOW = 0.6
const MEDIUM = 0.7
const HIGH = 0.84

/**
 * Minimum coverage. In a small collection some page always ranks best on every signal, even for an unrelated question.
 */
const LEAST_COVERAGE = { low: 0.3, medium: 0.45 }

/** Keeps a word found on no page from outweighing all others together. */
const LEAST_SHARE = 0.002

/** Confidence in an answer. `covered` has the question terms of each passage. */
export function confidenceOf(
  question: string,
  { words, agreement }: Found,
  covered: readonly ReadonlySet<string>[],
): Confidence {
  const coverage = coverageOf(weightsOf(question, words), covered)
  const sureness = (coverage + agreement) / 2
  if (sureness < LOW || coverage < LEAST_COVERAGE.low) return 'none'
  if (sureness < MEDIUM || coverage < LEAST_COVERAGE.medium) return 'low'
  return sureness < HIGH ? 'medium' : 'high'
}

/**
 * The largest share of the question, 0 to 1, covered by a single passage with its headings: words scattered over many
 * pages answer nothing. Words are weighted by rarity among all searched pages.
 */
function coverageOf(weights: ReadonlyMap<string, number>, covered: readonly ReadonlySet<string>[]): number {
  return Math.max(0, ...covered.map((terms) => share(terms, weights)))
}

function weightsOf(question: string, words: Found['words']): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { word, share: known } of words)
    for (const term of termsOf(word)) shares.set(term, Math.max(known, shares.get(term) ?? 0))
  const rarest = Math.min(...shares.values(), 1)
  return new Map(
    questionTerms(question).map((term) => [term, Math.log1p(1 / ((shares.get(term) ?? rarest) + LEAST_SHARE))]),
  )
}
