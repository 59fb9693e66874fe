import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Confidence } from './answer.ts'
import type { Found } from './found.ts'
import type { Section } from './sections.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'

/**
 * A logistic model that separates the answerable questions of seven collections (about 900) from questions of the
 * others. Each feature is 0 to 1: the share of the question in the best-covering section and in the best unit, the
 * agreement of the search's signals, and the number of question terms in the best section. Leaving any collection out of
 * the fit changes little.
 */
const FACTORS = { section: 7.3, unit: 6.7, agreement: 3.9, terms: 6.1 } as const
const BIAS = -10.7

/** More terms than this in one section add nothing. */
const MANY = 8

/**
 * Minimum sureness. Of 900 questions of other collections, 86 % lie below `LOW` and 94 % below `MEDIUM`, and two are
 * answered with high confidence. Of 679 own questions, 9 lie below `LOW`.
 */
const LOW = -1.5
const MEDIUM = 0.2
const HIGH = 4

/** With a confident answer, the best page leads the next one by this share of its score. */
const LEAD = 0.25

/**
 * In a short question each term counts, so a section that lacks one answers doubtfully. And many sections have all of
 * them, so a confident answer is the beginning of a section about them.
 */
const SHORT = { terms: 4, covered: 0.7, above: 0.6 } as const

/** Confidence in an answer from these sections, best first. */
export function confidenceOf(asked: AskedTerms, { agreement }: Found, sections: readonly Section[]): Confidence {
  const [best] = sections
  if (!best) return 'none'
  const coverage = Math.max(...sections.map(({ covers }) => shareOf(covers, asked)))
  const isShort = asked.weights.size <= SHORT.terms
  const sureness =
    FACTORS.section * coverage +
    FACTORS.unit * Math.max(...best.units.map(({ covers }) => shareOf(covers, asked))) +
    FACTORS.agreement * agreement +
    (FACTORS.terms * Math.min(best.covers.size, MANY)) / MANY +
    BIAS
  if (sureness < LOW) return 'none'
  if (sureness < MEDIUM || (isShort && coverage < SHORT.covered)) return 'low'
  const isHigh = sureness >= HIGH && leadOf(best, sections) >= LEAD && (!isShort || isAbout(best, asked))
  return isHigh ? 'high' : 'medium'
}

function isAbout({ passage, above }: Section, asked: AskedTerms): boolean {
  return shareOf(above, asked) >= SHORT.above && (passage.heading === '' || /^\s{0,3}#/.test(passage.passage))
}

/** Lead of the best page's score over the best one of other pages, 0 to 1. */
function leadOf(best: Section, sections: readonly Section[]): number {
  const pageOf = ({ passage }: Section) => withoutSection(passage.url)
  const others = sections.filter((section) => pageOf(section) !== pageOf(best))
  return 1 - Math.max(0, ...others.map(({ passage }) => passage.score)) / Math.max(best.passage.score, Number.MIN_VALUE)
}
