import { askedKeys } from '#documents/model/name-key.ts'
import type { Answer, Confidence, Found, FoundPart } from './answer.ts'
import { type AskedTerms, coveredTerms, shareOf, questionTerms, termsOf } from './asked-terms.ts'
import { type Excerpt, excerptOf, lengthOf, withoutInjections, escapeMarks } from './excerpts.ts'
import { composeAnswer, OURS, type ShownPart } from './compose.ts'
import { type Judged, judgeQuestion } from './judge-question.ts'
import type { Section } from './sections.ts'
import { EXCERPT, PARTS } from './weights.ts'

/** Words of a sentence that compares. A sentence can also name two things because one replaces the other. */
const COMPARES =
  /\b(?:differ\w*|unlike|whereas|similar(?:ly)? to|compared|in contrast|contrary to|than|vs|versus|same as|identical to|equivalent (?:to|of)|except|unterschied\w*|im gegensatz)\b/i

/** A part with its own sources. */
type JudgedPart = { part: FoundPart; judged: Judged; section: Section | null }

/**
 * Answers a comparison or several questions, each part from a section about it. Null if one part of the sources answers
 * all, or if none answers any.
 */
export function answerParts(question: string, found: Found, whole: Judged): Answer | null {
  const parts = (found.parts ?? []).map((part) => judgePart(question, part))
  const both = comparisonOf(parts, whole)
  if (both) return answerByComparison(both, whole)
  if (parts.every(({ section }) => section === null) || isOneAnswer(whole, parts)) return null
  const most = Math.floor(EXCERPT.together / parts.length)
  const shown = parts.map((part) => showPart(part, most))
  const levels = shown.map(({ confidence }) => confidence)
  if (levels.every((level) => level === 'none' || level === 'low')) return null
  const isComparison = parts.some(({ part }) => part.side !== null)
  // What the sources say about one side is beside the question if no heading has that side.
  if (isComparison && whole.confidence === 'none' && levels.includes('none') && !parts.some(isHeadedBySide)) return null
  // A single code block may be longer than its share.
  const length = shown.flatMap(({ excerpts }) => excerpts).reduce((sum, excerpt) => sum + lengthOf(excerpt), 0)
  if (length > EXCERPT.together) return null
  if (!isComparison && coverageOf(shown, whole.asked) < PARTS.kept * coverageOf([whole], whole.asked)) return null
  const sections = [...new Set([...parts.flatMap(({ section }) => section ?? []), ...whole.sections])]
  // Two descriptions leave the comparison to the reader.
  const isComplete = !isComparison && levels.every((level) => level === 'high')
  return composeAnswer(shown, sections, isComplete ? 'high' : 'medium')
}

function judgePart(question: string, part: FoundPart): JudgedPart {
  const { side } = part
  if (side === null) {
    const judged = judgeQuestion(part.question, part.found, { whole: question })
    return { part, judged, section: judged.confidence === 'none' ? null : (judged.sections[0] ?? null) }
  }
  const names = new Set(askedKeys(side).whole)
  const judged = judgeQuestion(part.question, part.found, { whole: question, names })
  const wanted = new Set(termsOf(side, judged.asked.language).filter((term) => judged.asked.weights.has(term)))
  const about = judged.sections.filter(({ covers }) => wanted.isSubsetOf(covers))
  const [section = null] = about.toSorted(
    (a, b) => aboutness(b, wanted, judged.asked) - aboutness(a, wanted, judged.asked),
  )
  return { part, judged, section }
}

/** Value of a section for a side: more if its heading, or another one above it, has the side and little else. */
function aboutness({ passage, value, topic }: Section, side: ReadonlySet<string>, { language }: AskedTerms): number {
  if (side.isSubsetOf(topic)) return value + PARTS.headed
  const [last, ...others] = [...passage.headings.toReversed(), passage.title]
  const headed = (heading: string): number => {
    const terms = new Set(termsOf(heading, language))
    return side.isSubsetOf(terms) ? side.size / terms.size : 0
  }
  const file = passage.url.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  const page = Math.max(0, ...others.map(headed), headed(file.replace(/\.\w{1,5}$/, '')))
  return value + Math.max(PARTS.headed * headed(last), PARTS.below * page)
}

/** The section that is headed with all sides of a comparison. */
function comparisonOf(parts: readonly JudgedPart[], { sections }: Judged): Section | undefined {
  if (!parts.some(({ part }) => part.side !== null)) return undefined
  return sections.find(({ passage, units }) => {
    const heading = passage.headings.at(-1) ?? passage.title
    // `How do I convert a list to a tuple?` and `--rebase-merges` name both sides, but do not compare them.
    if (!coversAll(heading, parts)) return false
    if (COMPARES.test(heading)) return true
    const both = units.filter(({ text }) => coversAll(text, parts))
    if (both.length > 0 && isOfSides(heading, parts)) return true
    return !parts.every(hasOwnSection) && both.some(({ text }) => COMPARES.test(text))
  })
}

function answerByComparison(section: Section, { sections, confidence }: Judged): Answer | null {
  const excerpts = withoutInjections([excerptOf(section, EXCERPT.alone)]).map((one) => ({ ...one, hasHeading: true }))
  if (excerpts.length === 0) return null
  return composeAnswer([{ notes: [], excerpts }], sections, confidence === 'high' ? 'high' : 'medium')
}

/** True if the excerpt of one section answers all parts as well as a section for each would. */
function isOneAnswer({ excerpts, sections }: Judged, parts: readonly JudgedPart[]): boolean {
  const [best] = sections
  const [first] = excerpts
  if (parts.some(({ section }) => section === null)) return false
  if (parts.every(({ section }) => section?.passage.url === best?.passage.url)) return true
  if (!first) return false
  // A page about each side says more than a sentence that mentions both.
  if (parts.every(hasOwnSection)) return false
  if (parts.some(({ part }) => part.side !== null))
    return first.units.some(({ text }) => COMPARES.test(text) && coversAll(text, parts))
  return parts.every((part) => {
    const own = termsOfItsOwn(part, parts)
    return coverageOf([{ excerpts: [first] }], own) >= PARTS.covered * shareOf(part.section?.covers ?? NONE, own)
  })
}

const NONE: ReadonlySet<string> = new Set()

/** True if the innermost heading of the section is the side and nothing else. */
const hasOwnSection = (part: JudgedPart): boolean => hasSideIn(part, part.section?.topic)

/** The terms of a part that no other part has, or all of them if there are none. */
function termsOfItsOwn({ judged: { asked } }: JudgedPart, parts: readonly JudgedPart[]): AskedTerms {
  const others = new Set(
    parts.flatMap(({ judged }) => (judged.asked === asked ? [] : [...judged.asked.weights.keys()])),
  )
  const own = [...asked.weights].filter(([term]) => !others.has(term))
  return own.length === 0 ? asked : { ...asked, weights: new Map(own) }
}

/** Share of the terms in the quoted units, their headings and titles. */
function coverageOf(parts: readonly { excerpts: readonly Excerpt[] }[], asked: AskedTerms): number {
  const quoted = parts
    .flatMap(({ excerpts }) => excerpts)
    .flatMap(({ section: { passage }, units }) => [passage.title, passage.heading, ...units.map(({ text }) => text)])
  return shareOf(coveredTerms(quoted.join('\n'), asked), asked)
}

function coversAll(text: string, parts: readonly JudgedPart[]): boolean {
  return parts.every(({ part: { side }, judged: { asked } }) => side === null || hasSide(text, side, asked))
}

/** A word or sign that joins two sides in a heading. `Rebasing merges` has none. */
const JOINS = /\b(?:and|or|und|oder)\b|[,/&+–—]|(?!\p{Script=Latin})\p{L}/iu

/** True for a heading that has the sides and no other words. */
function isOfSides(heading: string, parts: readonly JudgedPart[]): boolean {
  if (!JOINS.test(heading)) return false
  const own = new Set(parts.flatMap(({ part: { side }, judged: { asked } }) => termsOf(side ?? '', asked.language)))
  return questionTerms(heading, parts[0]?.judged.asked.language).every((term) => own.has(term))
}

function hasSide(text: string, side: string, asked: AskedTerms): boolean {
  const said = new Set(termsOf(text, asked.language))
  return termsOf(side, asked.language).every((term) => said.has(term))
}

type LevelledPart = ShownPart & { confidence: Confidence }

function showPart(judgedPart: JudgedPart, most: number): LevelledPart {
  const { part, section } = judgedPart
  const label = `**${escapeMarks(part.label.replaceAll('*', ''))}**`
  const confidence = section === null ? 'none' : levelOf(judgedPart)
  const chosen: Excerpt[] = section === null || confidence === 'none' ? [] : [excerptOf(section, most)]
  const excerpts = withoutInjections(chosen).map((excerpt) => ({ ...excerpt, hasHeading: true }))
  if (excerpts.length === 0) return { notes: [label, OURS.unanswered], excerpts, confidence: 'none' }
  return { notes: [label, ...(confidence === 'low' ? [OURS.doubtful] : [])], excerpts, confidence }
}

/** A section that is headed with a side is about it, even if it has few words of the question. */
function levelOf(part: JudgedPart): Confidence {
  const { confidence } = part.judged
  return isHeadedBySide(part) && (confidence === 'none' || confidence === 'low') ? 'medium' : confidence
}

function isHeadedBySide(part: JudgedPart): boolean {
  return hasSideIn(part, part.section?.above)
}

function hasSideIn({ part: { side }, judged: { asked } }: JudgedPart, terms: ReadonlySet<string> = NONE): boolean {
  const own = termsOf(side ?? '', asked.language).filter((term) => asked.weights.has(term))
  return own.length > 0 && own.every((term) => terms.has(term))
}
