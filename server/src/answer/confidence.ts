import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Confidence } from './answer.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'
import { type Excerpt, lengthOf } from './choose-excerpts.ts'
import { definedTerm } from './defined-term.ts'
import type { Found } from './found.ts'
import { namesIn } from './names-in.ts'
import type { Section } from './sections.ts'
import { sentencesOf } from './sentences.ts'

/**
 * A logistic model that separates the questions of nine collections (1,517) from questions of the others (1,144). The
 * features: the share of the question in the section that covers most, and in the title and headings of the best
 * section; the agreement of the search's signals; the logarithm of the number of question terms in the best section, and
 * in its best unit; and a language whose words take many forms. Fitted with `l2 = 2`, each collection with equal weight.
 * With each collection left out of the fit in turn, the area under the curve is .963 (.947 without the headings). Two
 * collections of other languages have no foreign questions in their language, so `language` is 2.2 above its fit.
 */
const FACTORS = { section: 4.1, headings: 3.1, agreement: 0.55, terms: 2.6, unitTerms: 1.9, language: 3.7 } as const
const BIAS = -8.65

/**
 * Minimum sureness. Of the 1,144 questions of other collections, 89 % are below `LOW` and 93 % below `MEDIUM`. Of 690
 * own questions with gold answers, 9 are below `LOW`: the first passage answers one of these.
 */
const LOW = 0.3
const MEDIUM = 0.8

/** Deduction from `LOW` for a question of several sentences: those that describe a situation have few words of the answer. */
const DESCRIBED = 1.1
const HIGH = 1.9

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
    FACTORS.headings * shareOf(best.above, asked) +
    FACTORS.agreement * found.agreement +
    FACTORS.terms * Math.log1p(best.covers.size) +
    FACTORS.unitTerms * Math.log1p(unitTerms) +
    (hasManyForms(question, asked) ? FACTORS.language : 0) +
    BIAS
  // The model was fitted on whole questions, and underrates a word or two that a section has.
  const isDefinition = definedTerm(question) !== null
  const isNamed = isHeaded(best, asked) || namesIn(question).size > 0 || (isDefinition && defines([best], asked))
  const isCovered = isShort && coverage >= SHORT.whole && isNamed
  const isDescribed = sentencesOf(question).length > 1
  if (sureness < LOW - (isDescribed ? DESCRIBED : 0) && !isCovered) return 'none'
  if ((sureness < MEDIUM && !isCovered) || (isShort && coverage < SHORT.covered)) return 'low'
  if (isDefinition && !defines(sections, asked)) return 'low'
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

/** Whether the headings have the whole question, or the section is an entry for it. */
function isHeaded({ above, topic }: Section, asked: AskedTerms): boolean {
  return topic.size > 0 || shareOf(above, asked) >= SHORT.whole
}

function isAboutTerms({ above, topic }: Section, asked: AskedTerms): boolean {
  return topic.size > 0 || shareOf(above, asked) >= SHORT.above
}

/** Whether one of the best sections has the term in its title or headings, or a sentence says what it is. */
function defines(sections: readonly Section[], asked: AskedTerms): boolean {
  return sections.slice(0, DEFINING).some((section) => {
    if (isAboutTerms(section, asked)) return true
    return section.units.some(
      ({ text, covers, kind }) => kind !== 'code' && shareOf(covers, asked) >= SHORT.whole && SAYS.test(text),
    )
  })
}

/** Sections that are quoted at most. */
const DEFINING = 2
/** What a sentence says that defines something. */
const SAYS =
  /\b(?:is|are|was|were|means?|refers? to|stands? for|denotes?|called|known as|allows?|lets?|provides?|describes?|defines?|ist|sind|war|heißt|bedeutet|bezeichnet)\b|[:：–—]|(?!\p{Script=Latin})\p{L}/iu

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
