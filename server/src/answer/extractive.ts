import { tableOf } from '#documents/model/read-block.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { HeadingBlock } from '#documents/model/document.ts'
import type { Answer, Confidence, Found, FoundPart } from './answer.ts'
import { type AskedTerms, termsOf } from './asked-terms.ts'
import {
  chooseExcerpts,
  escapeMarks,
  type Excerpt,
  excerptOf,
  isShort,
  lengthOf,
  withoutInjections,
} from './excerpts.ts'
import { composeAnswer, composeUnanswered, OURS, type ShownPart, shownPart } from './compose.ts'
import { pinnedFirst } from './pinned.ts'
import { isFact, rateSections, type ScoredUnit, type Section } from './sections.ts'
import { EXCERPT } from './weights.ts'
import { type Judged, judgeQuestion } from './judge-question.ts'

/**
 * Answers a question without a model: quotes a part of the best section, and of a second one if it covers more of the
 * question, verbatim and with citations. Answers the parts of a question one by one, each from a section about it. States
 * what the sections do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const answer = answerUnpinned(question, found)
  return found.pinned === undefined ? answer : pinnedFirst(found.pinned, answer)
}

function answerUnpinned(question: string, found: Found): Answer {
  const judged = judgeQuestion(question, found)
  const call = judged.sections.find(({ passage }) => passage.url === found.endpoint?.first.url)
  if (call && found.endpoint) return answerByCall({ question, page: found.endpoint.page, call }, judged)
  const { url, start } = found.release ?? {}
  const release = judged.sections.find(({ passage }) => passage.url === url && passage.start === start)
  if (release) return answerByRelease(release, judged)
  const { parts } = found
  return (parts && answerParts(question, parts, judged)) ?? answerWhole(judged)
}

type Call = { question: string; page: Passage; call: Section }

function answerByCall({ question, page, call }: Call, { asked, sections, passages, confidence }: Judged): Answer {
  const operation = excerptOfOperation(page, { question, asked })
  const others = sections.filter(({ passage }) => withoutSection(passage.url) !== withoutSection(page.url))
  const second = isShort(operation) ? chooseExcerpts([call, ...others], asked).slice(1) : []
  const excerpts = withoutInjections([operation, ...second]).map((excerpt) => ({
    ...excerpt,
    // The call itself names the operation.
    hasHeading: excerpt.section !== operation.section,
  }))
  if (excerpts.length === 0) return composeUnanswered(passages)
  return composeAnswer([{ notes: [], excerpts }], sections, confidence === 'high' ? 'high' : 'medium')
}

function answerByRelease(release: Section, { sections, passages, confidence }: Judged): Answer {
  const part = shownPart([excerptOf(release, EXCERPT.alone)])
  if (!part) return composeUnanswered(passages)
  const others = sections.filter((section) => section !== release)
  return composeAnswer([part], [release, ...others], confidence === 'high' ? 'high' : 'medium')
}

function answerWhole({ sections, passages, confidence, excerpts }: Judged): Answer {
  if (confidence === 'none') return composeUnanswered(passages)
  const part = shownPart(excerpts, ...(confidence === 'low' ? [OURS.doubtful] : []))
  return part ? composeAnswer([part], sections, confidence) : composeUnanswered(passages)
}

/** Characters of the call with its description, and of a sample of it. The parameters get the rest. */
const MOST_CALL = 350
const MOST_SAMPLE = 450

/** Sections of an operation's page as the extraction of API descriptions writes them. */
const INPUT = new Set(['Parameters', 'Request body'])
const SAMPLE = new Set(['Sample request'])
const OUTPUT = new Set(['Responses'])

const ASKS_FOR_OUTPUT = /\b(?:returns?|respon(?:ds?|ses?)|answers?|results?)\b/i

type Question = { question: string; asked: AskedTerms }

/** The call with its description. Then its parameters and a sample, or its answers if the question is about them. */
function excerptOfOperation(page: Passage, { question, asked }: Question): Excerpt {
  const [section] = rateSections([page], asked, new Set())
  if (!section) throw new Error('The page of an operation has its call')
  const parts = page.blocks.filter((block) => block.kind === 'heading' && block.level === 2) as HeadingBlock[]
  const under = section.units.map(({ start }) => parts.findLast((part) => part.start < start)?.text ?? '')
  const below = (headings: ReadonlySet<string>) => section.units.filter((_, at) => headings.has(under[at] ?? ''))
  const lead = below(new Set([''])).filter(({ text }) => !isFact(text))
  const call = fitting(lead, MOST_CALL)
  const rest = ASKS_FOR_OUTPUT.test(question)
    ? fitting(below(OUTPUT), EXCERPT.together - lengthOf({ units: call }))
    : requestOf(below(INPUT), below(SAMPLE), EXCERPT.together - lengthOf({ units: call }))
  return { section, units: [...call, ...rest] }
}

/** The tables of parameters, of which the required ones are the most important, and the sample after them. */
function requestOf(inputs: readonly ScoredUnit[], samples: readonly ScoredUnit[], most: number): ScoredUnit[] {
  const code = samples.filter(({ kind }) => kind === 'code')
  const sample = fitting(code, Math.min(MOST_SAMPLE, most))
  const rows = inputs
    .filter(({ kind }) => kind === 'table')
    .toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a)))
  const shown = fitting(rows, most - lengthOf({ units: sample }))
  return [...shown.toSorted((a, b) => a.start - b.start), ...sample]
}

function fitting(units: readonly ScoredUnit[], most: number): ScoredUnit[] {
  let left = most
  const end = units.findIndex(({ text }) => (left -= text.length + 1) < 0)
  return units.slice(0, end < 0 ? undefined : end)
}

/** Rows say "yes" in the column of required parameters. A field of an optional object can be required in it only. */
function isRequired({ text }: ScoredUnit): boolean {
  const [row] = tableOf(text, { start: 0, end: text.length }).rows
  const [name = '', ...others] = row?.cells.map(({ start, end }) => text.slice(start, end)) ?? []
  return /^`[^`.[]+`$/.test(name) && others.includes('yes')
}

/** Words of a sentence that compares two things. Without one, it may name both because one replaces the other. */
const COMPARES =
  /\b(?:differ\w*|unlike|whereas|similar(?:ly)? to|compared|in contrast|contrary to|than|vs|versus|same as|identical to|equivalent (?:to|of)|except|unterschied\w*|im gegensatz)\b/i

type JudgedPart = { part: FoundPart; judged: Judged; section: Section | null }

/** Answers a comparison or several questions. Null if one section answers all, or if none answers any. */
function answerParts(question: string, found: readonly FoundPart[], whole: Judged): Answer | null {
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

/** The section of a side is the best one that has the whole side. */
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
