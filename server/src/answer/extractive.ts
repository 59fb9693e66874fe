import { withFences } from '#search/close-fences.ts'
import { askedTerms } from './asked-terms.ts'
import { addressesModel } from './addresses-model.ts'
import type { Answer } from './answer.ts'
import { chooseExcerpts } from './choose-excerpts.ts'
import { composeAnswer, composeUnanswered } from './compose.ts'
import { confidenceOf } from './confidence.ts'
import type { Found } from './found.ts'
import { namesIn } from './names-in.ts'
import { restrictSections } from './restrict-sections.ts'
import { rateSections, type Section } from './sections.ts'

/** In a longer question a name is one of many terms, and rarely the topic. */
const MOST_TERMS = 6

/**
 * Answers a question without a model: quotes a part of the best section, and of a second one if it covers more of the
 * question, verbatim and with citations. States when the sections do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const asked = askedTerms(question, found)
  const names = asked.weights.size <= MOST_TERMS ? namesIn(question) : new Set<string>()
  const passages = withFences(found.passages)
  const sections = restrictSections(question, rateSections(passages, asked, names))
  const judged = confidenceOf(asked, found, sections)
  const call = sections.find(({ passage }) => passage.url === found.endpoint?.url)
  // An operation that does the task answers the question, even if the passages say little else about it.
  const confidence = call && (judged === 'none' || judged === 'low') ? 'medium' : judged
  if (confidence === 'none') return composeUnanswered(passages)
  // Injected instructions are harmless in an extractive answer, but they answer nothing.
  const excerpts = chooseExcerpts(call ? leadWith(call, sections) : sections, asked)
    .map(({ section, units }) => ({
      section,
      units: units.filter(({ text }) => !addressesModel(text)),
      // The call itself names the operation.
      hasHeading: section.passage !== call?.passage,
    }))
    .filter(({ units }) => units.length > 0)
  return excerpts.length > 0 ? composeAnswer(excerpts, sections, confidence) : composeUnanswered(passages)
}

/** Puts the section of an operation first, and its first unit, the call, into the excerpt. */
function leadWith(call: Section, sections: readonly Section[]): Section[] {
  const units = call.units.map((unit) => (unit.index === 0 ? { ...unit, score: Infinity } : unit))
  return [{ ...call, units }, ...sections.filter((section) => section !== call)]
}
