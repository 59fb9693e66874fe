import { withFences } from '#search/close-fences.ts'
import { addressesModel } from './addresses-model.ts'
import type { Answer } from './answer.ts'
import { composeAnswer, composeUnanswered } from './compose.ts'
import { confidenceOf } from './confidence.ts'
import type { Found } from './found.ts'
import { isNamed, type ScoredUnit, scoreUnits } from './score-units.ts'
import { namesIn } from './names-in.ts'
import { selectUnits } from './select-units.ts'
import { questionTerms } from './terms.ts'

/** In a longer question a name is one of many terms, and rarely the topic. */
const MOST_TERMS = 6

/**
 * Answers a question without a model: quotes the best-supported sentences, list items, code blocks and tables of the
 * retrieved passages, verbatim and with citations. States when the passages do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const terms = questionTerms(question)
  const names = terms.length <= MOST_TERMS ? namesIn(question) : new Set<string>()
  const all = withFences(found.passages)
  // Passages about a name in the question come first.
  const passages = [...all.filter((each) => isNamed(each, names)), ...all.filter((each) => !isNamed(each, names))]
  const evidence = scoreUnits(passages, terms, names)
  const call = evidence.units.find(({ passage, index }) => index === 0 && passage.url === found.endpoint?.url)
  const judged = confidenceOf(question, found, evidence.covered)
  // An operation that does the task answers the question, even if the passages say little else about it.
  const confidence = call && (judged === 'none' || judged === 'low') ? 'medium' : judged
  if (confidence === 'none') return composeUnanswered(passages)
  // Injected instructions are harmless in an extractive answer, but they answer nothing.
  const selected = selectUnits(evidence)
  const chosen = (call ? leadWith(call, selected) : selected).filter(({ text }) => !addressesModel(text))
  return chosen.length > 0
    ? composeAnswer(chosen, { units: evidence.units, passages }, confidence)
    : composeUnanswered(passages)
}

/** Orders units: the call of the operation, other units of its passage, then the rest. */
function leadWith(call: ScoredUnit, units: readonly ScoredUnit[]): ScoredUnit[] {
  const others = units.filter((unit) => unit !== call)
  const isOwn = ({ passage }: ScoredUnit) => passage === call.passage
  return [call, ...others.filter(isOwn), ...others.filter((unit) => !isOwn(unit))]
}
