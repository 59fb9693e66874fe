import type { Confidence } from './answer.ts'
import type { Found } from './found.ts'
import { share } from './score-units.ts'
import { questionTerms, termsOf } from './terms.ts'

/**
 * Sureness from which on an answer has a confidence. `npm run bench -- answer` on seven collections, each asked its own
 * questions (992) and those of the others (913): of its own 3 in 100 lie below `low`, 20 below `medium` and 63 below
 * `high`; of the others' 70, 91 and 98. The two halves of the measure weigh the same, as fitting them had it.
 */
const LOW = 0.6
const MEDIUM = 0.7
const HIGH = 0.84

/** Where there are few pages, one of them is the best in everything, whatever is asked. */
const LEAST_COVERAGE = { low: 0.3, medium: 0.45 }

/** Keeps a word that no page has from outweighing all others together. */
const LEAST_SHARE = 0.002

/** How well the passages answer, of which each has the question's terms that `covered` says. */
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
 * The largest share of the question, 0 to 1, that one passage covers together with its headings: words scattered over
 * many pages answer nothing. Words weigh by their rarity among all pages that were searched.
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
