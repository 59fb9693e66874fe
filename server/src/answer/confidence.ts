import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Confidence } from './answer.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'
import { type Excerpt, lengthOf } from './choose-excerpts.ts'
import type { Found } from './found.ts'
import type { Section } from './sections.ts'

/**
 * A logistic model that separates the questions of nine collections (1,612) from questions of the others (936). The
 * features, 0 to 1 each: the share of the question in the section that covers most, the agreement of the search's
 * signals, the number of question terms in the best section and in its best unit, and a language whose words take many
 * forms. Fitted with `l2 = 2`, each collection with equal weight. With each collection left out of the fit in turn, the
 * area under the curve is .945 (.934 with the share of the question in the best unit in place of the last two).
 */
const FACTORS = { section: 4.9, agreement: 0.5, terms: 3.35, unitTerms: 3.7, language: 0.85 } as const
const BIAS = -5.5

/** More terms than this in one section and in one unit add nothing. */
const MANY = { section: 8, unit: 6 } as const

/**
 * Minimum sureness. Of the 936 questions of other collections, 74 % lie below `LOW` and 92 % below `MEDIUM`. Of 690 own
 * questions with gold answers, 1 lies below `LOW`, and 34 below `MEDIUM`: the first passage answers 19 of these.
 */
const LOW = -1.5
const MEDIUM = 0.5
const HIGH = 1.5

/** With a confident answer, the best page leads the next one by this share of its score. */
const LEAD = 0.25

/**
 * In a short question each term counts, so a section that lacks one answers doubtfully. And many sections have all of
 * them, so a confident answer is the beginning of a section about them.
 */
const SHORT = { terms: 4, covered: 0.7, whole: 0.99, above: 0.6 } as const

/**
 * A complete answer quotes this share of its section, or has a sentence with this share of the question. A second
 * section shows that something was missing, so both together have this share of the question, and the first is not a
 * mere line. Of the answers with high confidence in four collections, 13 of 13, 6 of 7, 78 of 78 and 168 of 168 contain
 * the facts of the gold answer. Neighbouring values give the same.
 */
const COMPLETE = { quoted: 0.8, unit: 0.75, together: 0.8, length: 150 } as const

/** Confidence in the excerpts as an answer from these sections, best first. */
export function confidenceOf(
  { asked, question, found }: { asked: AskedTerms; question: string; found: Found },
  sections: readonly Section[],
  excerpts: readonly Excerpt[],
): Confidence {
  const [best] = sections
  if (!best) return 'none'
  const coverage = Math.max(...sections.map(({ covers }) => shareOf(covers, asked)))
  const isShort = asked.weights.size <= SHORT.terms
  const unitTerms = Math.max(...best.units.map(({ covers }) => covers.size))
  const sureness =
    FACTORS.section * coverage +
    FACTORS.agreement * found.agreement +
    (FACTORS.terms * Math.min(best.covers.size, MANY.section)) / MANY.section +
    (FACTORS.unitTerms * Math.min(unitTerms, MANY.unit)) / MANY.unit +
    (hasManyForms(question, asked) ? FACTORS.language : 0) +
    BIAS
  if (sureness < LOW) return 'none'
  if (sureness < MEDIUM || (isShort && coverage < SHORT.covered)) return 'low'
  const isSure = isShort ? isAbout(best, asked) : sureness >= HIGH
  const isHigh = isSure && leadOf(best, sections) >= LEAD && isComplete(excerpts, asked)
  return isHigh ? 'high' : 'medium'
}

/** Compounds, endings and words without spaces match less often. The stems of English match well. */
function hasManyForms(question: string, { language }: AskedTerms): boolean {
  return language !== 'en' || /(?!\p{Script=Latin})\p{L}/u.test(question)
}

function isAbout({ passage, above, covers }: Section, asked: AskedTerms): boolean {
  const hasAll = shareOf(covers, asked) >= SHORT.whole && shareOf(above, asked) >= SHORT.above
  return hasAll && (passage.heading === '' || /^\s{0,3}#/.test(passage.passage))
}

function isComplete([first, second]: readonly Excerpt[], asked: AskedTerms): boolean {
  if (!first) return false
  const whole = lengthOf(first.section)
  const isQuoted = lengthOf(first) >= COMPLETE.quoted * whole
  if (!second && isQuoted) return true
  if (whole < COMPLETE.length) return false
  const covers = [first, ...(second ? [second] : [])]
    .flatMap(({ units }) => units)
    .reduce((all, unit) => all.union(unit.covers), new Set<string>())
  if (isQuoted && shareOf(covers, asked) >= COMPLETE.together) return true
  return first.section.units.some((unit) => shareOf(unit.covers, asked) >= COMPLETE.unit)
}

/** Lead of the best page's score over the best one of other pages, 0 to 1. */
function leadOf(best: Section, sections: readonly Section[]): number {
  const pageOf = ({ passage }: Section) => withoutSection(passage.url)
  const others = sections.filter((section) => pageOf(section) !== pageOf(best))
  return 1 - Math.max(0, ...others.map(({ passage }) => passage.score)) / Math.max(best.passage.score, Number.MIN_VALUE)
}
