import type { ModelError, ModelFailure } from '#models/chat-model.ts'
import type { AnswerFailure, Confidence, RemarkedAnswer } from './answer.ts'
import { OURS } from './compose.ts'

const REASONS: Record<Exclude<ModelFailure, 'aborted'>, AnswerFailure> = {
  timeout: 'timeout',
  refused: 'refused',
  busy: 'busy',
  unavailable: 'unavailable',
  cut_off: 'unavailable',
  malformed: 'unusable',
  over_budget: 'over_budget',
}

const SENTENCES: Record<AnswerFailure, string> = {
  timeout: 'it did not answer in time',
  refused: 'its provider refused the request',
  busy: 'its provider was overloaded',
  unavailable: 'it could not be reached, or broke off',
  over_budget: 'its tokens of today are used up',
  unusable: 'the sources do not bear out what it wrote',
}

export function reasonOf({ failure }: ModelError): AnswerFailure {
  return failure === 'aborted' ? 'unavailable' : REASONS[failure]
}

export function failureRemark(failure: AnswerFailure): string {
  return `The language model gave no answer that could be used: ${SENTENCES[failure]}. This one is quoted from the sources.`
}

/**
 * The extractive answer in place of the model's. Nobody has checked it, so it is not of high confidence. If the
 * passages support nothing that the model wrote, they probably do not answer.
 */
export function withFailure(extractive: RemarkedAnswer, failure: AnswerFailure): RemarkedAnswer {
  const confidence = lowered(extractive.confidence, failure)
  const isDoubtful = confidence === 'low' && extractive.confidence !== 'low'
  return {
    ...extractive,
    confidence,
    ...(isDoubtful ? { answer: `${OURS.doubtful}\n\n${withoutNote(extractive.answer)}` } : {}),
    isExtractive: true,
    failure,
    remark: failureRemark(failure),
  }
}

function lowered(confidence: Confidence, failure: AnswerFailure): Confidence {
  if (confidence === 'high') return 'medium'
  return confidence === 'medium' && failure === 'unusable' ? 'low' : confidence
}

/** Without our sentence at the beginning, which would contradict the doubt. */
function withoutNote(answer: string): string {
  const [first = '', ...rest] = answer.split('\n\n')
  return NOTES.has(first) ? rest.join('\n\n') : answer
}

const NOTES: ReadonlySet<string> = new Set(Object.values(OURS))
