import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Confidence, Found } from './answer.ts'
import { type AskedTerms, shareOf, questionTerms } from './asked-terms.ts'
import { namesIn } from './question-parts.ts'
import { type Excerpt, lengthOf } from './excerpts.ts'
import { definedTerm } from './defined-term.ts'
import { hasRowNamed } from './entry-named.ts'
import type { Section } from './sections.ts'
import { sentencesOf } from './units.ts'
import { COMPLETE, DEFINING, LEVEL, SHORT_QUESTION, SURENESS } from './weights.ts'

/** Confidence in the excerpts as an answer from these sections, best first. */
export function confidenceOf(
  { asked, question, found }: { asked: AskedTerms; question: string; found: Found },
  sections: readonly Section[],
  excerpts: readonly Excerpt[],
): Confidence {
  const [best] = sections
  if (!best) return 'none'
  const coverage = Math.max(...sections.map(({ covers }) => shareOf(covers, asked)))
  const isShort = asked.weights.size <= SHORT_QUESTION.terms
  const together = sections.reduce((all, { covers }) => all.union(covers), new Set<string>())
  const sentence = Math.max(...sections.flatMap(({ units }) => units.map(({ covers }) => shareOf(covers, asked))))
  const isDescribed = sentencesOf(question).length > 1
  const isPlain = asked.forms === 'none'
  const low = isPlain ? (isDescribed ? LEVEL.low.described : LEVEL.low.plain) : LEVEL.low.other
  const sureness =
    SURENESS.section * coverage +
    SURENESS.together * shareOf(together, asked) +
    SURENESS.headings * shareOf(best.above, asked) +
    SURENESS.sentence * sentence +
    SURENESS.agreement * found.agreement +
    SURENESS.terms * Math.log1p(best.covers.size) +
    (isDescribed ? SURENESS.described : 0) +
    SURENESS.forms[asked.forms] +
    SURENESS.bias
  // The model was fitted on whole questions, and underrates a word or two that a section has.
  const isDefinition = definedTerm(question) !== null
  const isNamed = isHeaded(best, asked) || namesIn(question).size > 0 || (isDefinition && defines([best], asked))
  const isCovered = isShort && coverage >= SHORT_QUESTION.whole && isNamed
  if (sureness < low && !isCovered) return 'none'
  if (
    (sureness < (isPlain ? LEVEL.medium.plain : LEVEL.medium.other) && !isCovered) ||
    (isShort && coverage < SHORT_QUESTION.covered)
  )
    return 'low'
  if (isDefinition && !defines(sections, asked)) return 'low'
  const isSure = isShort ? isAbout(best, asked) : sureness >= LEVEL.high
  const isHigh = isSure && leadOf(best, sections) >= LEVEL.lead && isComplete(excerpts, asked)
  return isHigh ? 'high' : 'medium'
}

function isAbout({ passage, above, covers }: Section, asked: AskedTerms): boolean {
  const hasAll = shareOf(covers, asked) >= SHORT_QUESTION.whole && shareOf(above, asked) >= SHORT_QUESTION.above
  return hasAll && (passage.heading === '' || /^\s{0,3}#/.test(passage.passage))
}

/**
 * Whether the headings have the whole question, or the section is an entry for it. Many headings contain a single word,
 * so one must hardly say more.
 */
function isHeaded({ passage, above, topic }: Section, asked: AskedTerms): boolean {
  if (topic.size > 0) return true
  if (shareOf(above, asked) < SHORT_QUESTION.whole) return false
  if (asked.weights.size > 1) return true
  return [passage.title, ...passage.headings].some((heading) => {
    const terms = questionTerms(heading, asked.language)
    return terms.length <= DEFINING.besideTerm + 1 && terms.some((term) => asked.weights.has(term))
  })
}

function isAboutTerms({ above, topic }: Section, asked: AskedTerms): boolean {
  return topic.size > 0 || shareOf(above, asked) >= SHORT_QUESTION.above
}

/** Whether one of the best sections has the term in its title or headings, or a sentence says what it is. */
function defines(sections: readonly Section[], asked: AskedTerms): boolean {
  return sections.slice(0, DEFINING.sections).some((section) => {
    if (isAboutTerms(section, asked)) return true
    return section.units.some(({ text, covers, kind }) => {
      if (kind === 'code' || shareOf(covers, asked) < SHORT_QUESTION.whole) return false
      return SAYS.test(text) || (kind === 'table' && hasRowNamed(text, asked))
    })
  })
}

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
