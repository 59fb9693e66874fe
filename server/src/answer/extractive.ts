import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import { answerParts } from './answer-parts.ts'
import type { Answer } from './answer.ts'
import { shareOf } from './asked-terms.ts'
import { chooseExcerpts, type Excerpt, excerptOf, isShort } from './choose-excerpts.ts'
import { composeAnswer, composeUnanswered, OURS, type ShownPart } from './compose.ts'
import type { Found } from './found.ts'
import { type Judged, judgeQuestion } from './judge-question.ts'
import { excerptOfOperation } from './operation-excerpt.ts'
import type { Section } from './sections.ts'
import { withoutInjections } from './without-injections.ts'
import { excerptFrom, verdictOf, yesNoVerb } from './yes-no.ts'
import { EXCERPT, RELEASE } from './weights.ts'

/**
 * Answers a question without a model: quotes a part of the best section, and of a second one if it covers more of the
 * question, verbatim and with citations. Answers the parts of a question one by one, each from a section about it. Says
 * yes or no if a sentence of the sources does. States what the sections do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const judged = judgeQuestion(question, found)
  const call = judged.sections.find(({ passage }) => passage.url === found.endpoint?.first.url)
  if (call && found.endpoint) return answerByCall({ question, page: found.endpoint.page, call }, judged)
  const release = judged.sections.find(({ passage }) => isSamePlace(passage, found.release))
  if (release) return answerByRelease(release, judged)
  return answerParts(question, found, judged) ?? answerWhole(question, judged)
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

/** The entry of a release answers what changed in it: from the top, or the part about the other words of the question. */
function answerByRelease(release: Section, { asked, sections, passages, confidence }: Judged): Answer {
  const top = Math.max(...release.units.map(({ covers }) => shareOf(covers, asked)))
  const isAboutPart = top >= RELEASE.aboutPart
  const part = shownPart([excerptOf({ ...release, isTopic: !isAboutPart }, EXCERPT.alone)], null)
  if (!part) return composeUnanswered(passages)
  const atLeast = confidence === 'none' || confidence === 'low' ? 'medium' : confidence
  return composeAnswer([part], [release, ...sections.filter((section) => section !== release)], atLeast)
}

function isSamePlace(passage: Passage, other: Passage | null | undefined): boolean {
  return other?.url === passage.url && other.start === passage.start
}

function answerWhole(question: string, judged: Judged): Answer {
  const { asked, sections, passages, confidence } = judged
  if (confidence === 'none') return composeUnanswered(passages)
  const verb = yesNoVerb(question)
  const verdict = verb === null ? null : verdictOf({ question, verb, asked }, sections)
  if (verdict) {
    const part = shownPart([excerptFrom(verdict)], OURS[verdict.said])
    if (part) return composeAnswer([part], sections, confidence === 'low' ? 'medium' : confidence)
  }
  const note = confidence === 'low' ? OURS.doubtful : verb !== null && STATES_FACT.has(verb) ? OURS.undecided : null
  const part = shownPart(judged.excerpts, note)
  return part ? composeAnswer([part], sections, confidence) : composeUnanswered(passages)
}

/** Questions with `can` or `should` ask how more often than whether. */
const STATES_FACT: ReadonlySet<string> = new Set([
  'is',
  'are',
  'was',
  'were',
  'does',
  'do',
  'did',
  'has',
  'have',
  'will',
])

function shownPart(excerpts: readonly Excerpt[], note: string | null): ShownPart | null {
  const shown = withoutInjections(excerpts).map((excerpt) => ({ ...excerpt, hasHeading: true }))
  return shown.length === 0 ? null : { notes: note === null ? [] : [note], excerpts: shown }
}
