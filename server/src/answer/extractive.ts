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

/** In a longer question a name is one of many things, and mostly not what is asked for. */
const MOST_TERMS = 6

/**
 * Answers a question without a model: the best-supported sentences, list items, code blocks and tables of the passages
 * that were retrieved for it, each verbatim and cited. Says so when they do not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const terms = questionTerms(question)
  const names = terms.length <= MOST_TERMS ? namesIn(question) : new Set<string>()
  const all = withFences(found.passages)
  // What a question names is told first.
  const passages = [...all.filter((each) => isNamed(each, names)), ...all.filter((each) => !isNamed(each, names))]
  const evidence = scoreUnits(passages, terms, names)
  const call = evidence.units.find(({ passage, index }) => index === 0 && passage.url === found.endpoint?.url)
  const judged = confidenceOf(question, found, evidence.covered)
  // An operation that does what is asked for answers, however little else is said of it.
  const confidence = call && (judged === 'none' || judged === 'low') ? 'medium' : judged
  if (confidence === 'none') return composeUnanswered(passages)
  // Injected instructions would do no harm here, and are no answer either.
  const selected = selectUnits(evidence)
  const chosen = (call ? leadWith(call, selected) : selected).filter(({ text }) => !addressesModel(text))
  return chosen.length > 0
    ? composeAnswer(chosen, { units: evidence.units, passages }, confidence)
    : composeUnanswered(passages)
}

/** An operation's call first, then what else was chosen of its passage, then the rest. */
function leadWith(call: ScoredUnit, units: readonly ScoredUnit[]): ScoredUnit[] {
  const others = units.filter((unit) => unit !== call)
  const isOwn = ({ passage }: ScoredUnit) => passage === call.passage
  return [call, ...others.filter(isOwn), ...others.filter((unit) => !isOwn(unit))]
}
