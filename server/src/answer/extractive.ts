import { withFences } from '#search/close-fences.ts'
import { addressesModel } from './addresses-model.ts'
import type { Answer } from './answer.ts'
import { composeAnswer, composeUnanswered } from './compose.ts'
import { confidenceOf } from './confidence.ts'
import type { Found } from './found.ts'
import { isNamed, scoreUnits } from './score-units.ts'
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
  const confidence = confidenceOf(question, found, evidence.covered)
  if (confidence === 'none') return composeUnanswered(passages)
  // Injected instructions would do no harm here, and are no answer either.
  const chosen = selectUnits(evidence).filter(({ text }) => !addressesModel(text))
  return chosen.length > 0
    ? composeAnswer(chosen, { units: evidence.units, passages }, confidence)
    : composeUnanswered(passages)
}
