import type { Passage } from '#search/passage.ts'
import type { Answer } from './answer.ts'
import { composeAnswer, composeUnanswered } from './compose.ts'
import { confidenceOf } from './confidence.ts'
import { scoreUnits } from './score-units.ts'
import { selectUnits } from './select-units.ts'
import { questionTerms } from './terms.ts'

/**
 * Answers a question without a model: the best-supported sentences, list items, code blocks and tables of the passages
 * that were retrieved for it, each verbatim and cited. Says so when they do not answer.
 */
export function answerFromPassages(question: string, passages: readonly Passage[]): Answer {
  const evidence = scoreUnits(passages, questionTerms(question))
  const confidence = confidenceOf(passages, evidence.coverage)
  if (confidence === 'none') return composeUnanswered(passages)
  const chosen = selectUnits(evidence)
  return chosen.length > 0 ? composeAnswer(chosen, passages, confidence) : composeUnanswered(passages)
}
