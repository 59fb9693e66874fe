import type { Answer, Confidence, FoundPart } from './answer.ts'
import { type AskedTerms, termsOf } from './asked-terms.ts'
import { excerptOf, lengthOf, escapeMarks } from './excerpts.ts'
import { composeAnswer, OURS, shownPart, type ShownPart } from './compose.ts'
import { type Judged, judgeQuestion } from './judge-question.ts'
import type { Section } from './sections.ts'
import { EXCERPT } from './weights.ts'

/** Words of a sentence that compares. A sentence can also name two things because one replaces the other. */
const COMPARES =
  /\b(?:differ\w*|unlike|whereas|similar(?:ly)? to|compared|in contrast|contrary to|than|vs|versus|same as|identical to|equivalent (?:to|of)|except|unterschied\w*|im gegensatz)\b/i

/** A part with its own sources. */
type JudgedPart = { part: FoundPart; judged: Judged; section: Section | null }

/**
 * Answers a comparison or several questions, each part from a section about it. Null if one part of the sources answers
 * all, or if none answers any.
 */
export function answerParts(question: string, found: readonly FoundPart[], whole: Judged): Answer | null {
  const parts = found.map((part) => judgePart(question, part))
  const both = shownPart(comparisonsOf(parts, whole).map((section) => excerptOf(section, EXCERPT.alone)))
  if (both) return composeAnswer([both], whole.sections, whole.confidence === 'high' ? 'high' : 'medium')
  if (parts.every(({ section }) => section === null) || isOneAnswer(whole, parts)) return null
  const shown = parts.map((part) => showPart(part, Math.floor(EXCERPT.together / parts.length)))
  const levels = shown.map(({ confidence }) => confidence)
  if (levels.every((level) => level === 'none' || level === 'low')) return null
  // A single code block may be longer than its share.
  const length = shown.flatMap(({ excerpts }) => excerpts).reduce((sum, excerpt) => sum + lengthOf(excerpt), 0)
  if (length > EXCERPT.together) return null
  const sections = [...new Set([...parts.flatMap(({ section }) => section ?? []), ...whole.sections])]
  // Two descriptions leave the comparison to the reader.
  const isComplete = levels.every((level) => level === 'high') && parts.every(({ part }) => part.side === null)
  return composeAnswer(shown, sections, isComplete ? 'high' : 'medium')
}

/** Judges a part. The section of a side is the best one that has the whole side. */
function judgePart(question: string, part: FoundPart): JudgedPart {
  const { side } = part
  const judged = judgeQuestion(part.question, part.found, question, side)
  const wanted = sideTerms(part, judged.asked)
  const section = judged.sections.find(({ covers }) => side === null || wanted.isSubsetOf(covers)) ?? null
  return { part, judged, section: side === null && judged.confidence === 'none' ? null : section }
}

/** A word or sign that joins two sides in a heading. `Rebasing merges` has none. */
const JOINS = /\b(?:and|or|vs|versus|und|oder)\b|[,/&+–—]|(?!\p{Script=Latin})\p{L}/iu

/** The best section about both sides of a comparison, if there is one: its heading joins them, and a sentence has both. */
function comparisonsOf(parts: readonly JudgedPart[], { sections }: Judged): Section[] {
  if (parts.some(({ part }) => part.side === null)) return []
  return sections
    .filter(({ passage: { headings, title }, units }) => {
      const heading = headings.at(-1) ?? title
      const isHeaded = JOINS.test(heading) && hasAllSides(heading, parts)
      return isHeaded && units.some(({ text }) => hasAllSides(text, parts))
    })
    .slice(0, 1)
}

/** True if the best section answers all parts: all parts have it, or it compares the sides. */
function isOneAnswer({ sections: [best], excerpts: [first] }: Judged, parts: readonly JudgedPart[]): boolean {
  if (!best || !first || parts.some(({ section }) => section === null)) return false
  if (parts.every(({ section }) => section?.passage.url === best.passage.url)) return true
  if (parts.some(({ part }) => part.side === null)) return false
  // A page about each side says more than a sentence that mentions both.
  if (parts.every((part) => hasSideIn(part, part.section?.topic))) return false
  return first.units.some(({ text }) => COMPARES.test(text) && hasAllSides(text, parts))
}

function hasAllSides(text: string, parts: readonly JudgedPart[]): boolean {
  return parts.every(({ part: { side }, judged: { asked } }) => {
    const said = new Set(termsOf(text, asked.language))
    return termsOf(side ?? '', asked.language).every((term) => said.has(term))
  })
}

type LevelledPart = ShownPart & { confidence: Confidence }

function showPart(judgedPart: JudgedPart, most: number): LevelledPart {
  const { part, section } = judgedPart
  const label = `**${escapeMarks(part.label.replaceAll('*', ''))}**`
  const confidence = section === null ? 'none' : levelOf(judgedPart)
  const chosen = section === null || confidence === 'none' ? [] : [excerptOf(section, most)]
  const shown = shownPart(chosen, label, ...(confidence === 'low' ? [OURS.doubtful] : []))
  return shown ? { ...shown, confidence } : { notes: [label, OURS.unanswered], excerpts: [], confidence: 'none' }
}

/** A section that is headed with a side is about it, even if it has few words of the question. */
function levelOf(part: JudgedPart): Confidence {
  const { confidence } = part.judged
  const isDoubtful = confidence === 'none' || confidence === 'low'
  return isDoubtful && hasSideIn(part, part.section?.above) ? 'medium' : confidence
}

function hasSideIn({ part, judged: { asked } }: JudgedPart, terms: ReadonlySet<string> = new Set()): boolean {
  const own = sideTerms(part, asked)
  return own.size > 0 && own.isSubsetOf(terms)
}

function sideTerms({ side }: FoundPart, { language, weights }: AskedTerms): Set<string> {
  return new Set(termsOf(side ?? '', language).filter((term) => weights.has(term)))
}
