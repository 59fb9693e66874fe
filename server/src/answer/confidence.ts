import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Confidence } from './answer.ts'
import { type AskedTerms, shareOf } from './asked-terms.ts'
import { type Excerpt, lengthOf } from './choose-excerpts.ts'
import { definedTerm } from './defined-term.ts'
import { hasRowNamed } from './entry-named.ts'
import type { Found } from './found.ts'
import { namesIn } from './names-in.ts'
import type { Section } from './sections.ts'
import { sentencesOf } from './sentences.ts'
import { questionTerms } from './terms.ts'

/**
 * A logistic model that separates the questions of 17 collections with a right passage among the first five (2,700)
 * from questions of the others (2,114), and from questions about the removed half of two collections (540). The
 * features: the share of the question in the section that covers most, in all sections together, in the title and
 * headings of the best section, and in the best sentence; the agreement of the search's features; the logarithm of the
 * number of question terms in the best section; a question of several sentences; and how the language forms words.
 * Fitted with `l2 = 2`, each collection with equal weight. With each collection left out of the fit in turn, the area
 * under the curve is .970 (.957 with the agreement of three features and without sentences).
 */
const FACTORS = {
  section: 2.49,
  together: 2.21,
  headings: 2.08,
  sentence: 3.65,
  agreement: 16.72,
  terms: 2.84,
  described: 1.15,
  forms: { none: 0, endings: 1.99, script: -2 },
} as const
const BIAS = -18.09

/**
 * Minimum sureness. Of the questions of other collections, 93 % are below `LOW`. Words of other languages than English
 * match less reliably, so their deduction is what loses hardly an answer: 15 % (German) and 30 % (Japanese) of questions
 * about removed pages are below `LOW`, and 75 % and 85 % below `MEDIUM`.
 */
const LOW = { plain: 0.4, described: -0.7, other: -4.4 } as const
const MEDIUM = { plain: 1, other: -0.5 } as const
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
  const together = sections.reduce((all, { covers }) => all.union(covers), new Set<string>())
  const sentence = Math.max(...sections.flatMap(({ units }) => units.map(({ covers }) => shareOf(covers, asked))))
  const isDescribed = sentencesOf(question).length > 1
  const isPlain = asked.forms === 'none'
  const low = isPlain ? (isDescribed ? LOW.described : LOW.plain) : LOW.other
  const sureness =
    FACTORS.section * coverage +
    FACTORS.together * shareOf(together, asked) +
    FACTORS.headings * shareOf(best.above, asked) +
    FACTORS.sentence * sentence +
    FACTORS.agreement * found.agreement +
    FACTORS.terms * Math.log1p(best.covers.size) +
    (isDescribed ? FACTORS.described : 0) +
    FACTORS.forms[asked.forms] +
    BIAS
  // The model was fitted on whole questions, and underrates a word or two that a section has.
  const isDefinition = definedTerm(question) !== null
  const isNamed = isHeaded(best, asked) || namesIn(question).size > 0 || (isDefinition && defines([best], asked))
  const isCovered = isShort && coverage >= SHORT.whole && isNamed
  if (sureness < low && !isCovered) return 'none'
  if ((sureness < (isPlain ? MEDIUM.plain : MEDIUM.other) && !isCovered) || (isShort && coverage < SHORT.covered))
    return 'low'
  if (isDefinition && !defines(sections, asked)) return 'low'
  const isSure = isShort ? isAbout(best, asked) : sureness >= HIGH
  const isHigh = isSure && leadOf(best, sections) >= LEAD && isComplete(excerpts, asked)
  return isHigh ? 'high' : 'medium'
}

function isAbout({ passage, above, covers }: Section, asked: AskedTerms): boolean {
  const hasAll = shareOf(covers, asked) >= SHORT.whole && shareOf(above, asked) >= SHORT.above
  return hasAll && (passage.heading === '' || /^\s{0,3}#/.test(passage.passage))
}

/**
 * Whether the headings have the whole question, or the section is an entry for it. Many headings contain a single word,
 * so one must hardly say more.
 */
function isHeaded({ passage, above, topic }: Section, asked: AskedTerms): boolean {
  if (topic.size > 0) return true
  if (shareOf(above, asked) < SHORT.whole) return false
  if (asked.weights.size > 1) return true
  return [passage.title, ...passage.headings].some((heading) => {
    const terms = questionTerms(heading, asked.language)
    return terms.length <= MOST_BESIDE + 1 && terms.some((term) => asked.weights.has(term))
  })
}

/** Terms of a heading beside the single term of a question. */
const MOST_BESIDE = 2

function isAboutTerms({ above, topic }: Section, asked: AskedTerms): boolean {
  return topic.size > 0 || shareOf(above, asked) >= SHORT.above
}

/** Whether one of the best sections has the term in its title or headings, or a sentence says what it is. */
function defines(sections: readonly Section[], asked: AskedTerms): boolean {
  return sections.slice(0, DEFINING).some((section) => {
    if (isAboutTerms(section, asked)) return true
    return section.units.some(({ text, covers, kind }) => {
      if (kind === 'code' || shareOf(covers, asked) < SHORT.whole) return false
      return SAYS.test(text) || (kind === 'table' && hasRowNamed(text, asked))
    })
  })
}

/** Sections that are quoted at most. */
const DEFINING = 2
/** What a sentence says that defines something. */
const SAYS =
  /\b(?:is|are|was|were|means?|refers? to|stands? for|denotes?|called|known as|allows?|lets?|provides?|describes?|defines?|ist|sind|war|heißt|bedeutet|bezeichnet)\b|[:：–—]|(?!\p{Script=Latin})\p{L}/iu

function isComplete([first, second]: readonly Excerpt[], asked: AskedTerms): boolean {
  // A table or code alone does not say what it is for.
  if (!first || !first.units.some(({ kind }) => kind === 'sentence' || kind === 'item')) return false
  const whole = lengthOf(first.section)
  const isQuoted = lengthOf(first) >= COMPLETE.quoted * whole
  if (!second && isQuoted) return true
  if (whole < COMPLETE.length) return false
  const covers = [first, ...(second ? [second] : [])]
    .flatMap(({ units }) => units)
    .reduce((all, unit) => all.union(unit.covers), new Set<string>())
  if (isQuoted && shareOf(covers, asked) >= COMPLETE.together) return true
  return first.units.some((unit) => shareOf(unit.covers, asked) >= COMPLETE.unit)
}

/** Lead of the best page's score over the best one of other pages, 0 to 1. */
function leadOf(best: Section, sections: readonly Section[]): number {
  const pageOf = ({ passage }: Section) => withoutSection(passage.url)
  const others = sections.filter((section) => pageOf(section) !== pageOf(best))
  return 1 - Math.max(0, ...others.map(({ passage }) => passage.score)) / Math.max(best.passage.score, Number.MIN_VALUE)
}
