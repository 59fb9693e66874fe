import { tableOf } from '#documents/model/read-block.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { HeadingBlock } from '#documents/model/document.ts'
import { answerParts } from './answer-parts.ts'
import type { Answer, Found } from './answer.ts'
import type { AskedTerms } from './asked-terms.ts'
import { chooseExcerpts, type Excerpt, excerptOf, isShort, withoutInjections, lengthOf } from './excerpts.ts'
import { composeAnswer, composeUnanswered, OURS, shownPart } from './compose.ts'
import { type Section, rateSections, type ScoredUnit } from './sections.ts'
import { EXCERPT } from './weights.ts'
import { type Judged, judgeQuestion } from './judge-question.ts'
import { isFact } from './units.ts'

/**
 * Answers a question without a model: quotes a part of the best section, and of a second one if it covers more of the
 * question, verbatim and with citations. Answers the parts of a question one by one, each from a section about it. States
 * what the sections do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const judged = judgeQuestion(question, found)
  const call = judged.sections.find(({ passage }) => passage.url === found.endpoint?.first.url)
  if (call && found.endpoint) return answerByCall({ question, page: found.endpoint.page, call }, judged)
  const release = judged.sections.find(({ passage }) => isSamePlace(passage, found.release))
  if (release) return answerByRelease(release, judged)
  const { parts } = found
  return (parts && answerParts(question, parts, judged)) ?? answerWhole(judged)
}

type Call = { question: string; page: Passage; call: Section }

/** The page of the operation answers, with company if it says little. */
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
  const atLeast = confidence === 'none' || confidence === 'low' ? 'medium' : confidence
  return composeAnswer([{ notes: [], excerpts }], sections, atLeast)
}

/** The entry of a release answers what changed in it. */
function answerByRelease(release: Section, { sections, passages, confidence }: Judged): Answer {
  const part = shownPart([excerptOf(release, EXCERPT.alone)])
  if (!part) return composeUnanswered(passages)
  const atLeast = confidence === 'none' || confidence === 'low' ? 'medium' : confidence
  return composeAnswer([part], [release, ...sections.filter((section) => section !== release)], atLeast)
}

function isSamePlace(passage: Passage, other: Passage | null | undefined): boolean {
  return other?.url === passage.url && other.start === passage.start
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

/**
 * The call and its description from the page of an API operation. Then its parameters and a sample, or its answers if
 * the question is about them, as much as fits.
 */
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
  const rows = inputs.filter(({ kind }) => kind === 'table').toSorted(requiredFirst)
  const shown = fitting(rows, most - lengthOf({ units: sample }))
  return [...shown.toSorted((a, b) => a.start - b.start), ...sample]
}

/** As many units as fit, in order. */
function fitting(units: readonly ScoredUnit[], most: number): ScoredUnit[] {
  let left = most
  const end = units.findIndex(({ text }) => (left -= text.length + 1) < 0)
  return units.slice(0, end < 0 ? undefined : end)
}

function requiredFirst(a: ScoredUnit, b: ScoredUnit): number {
  return Number(isRequired(b)) - Number(isRequired(a))
}

/** Rows say "yes" in the column of required parameters. A field of an optional object can be required in it only. */
function isRequired({ text }: ScoredUnit): boolean {
  const [row] = tableOf(text, { start: 0, end: text.length }).rows
  const [name = '', ...others] = row?.cells.map(({ start, end }) => text.slice(start, end)) ?? []
  return /^`[^`.[]+`$/.test(name) && others.includes('yes')
}
