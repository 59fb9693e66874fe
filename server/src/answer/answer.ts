/** Support of an answer by its sources. `none`: the sources do not cover the question. */
export type Confidence = 'high' | 'medium' | 'low' | 'none'

export type Answer = {
  /** Markdown in which `[n]` marks a statement supported by citation n. */
  answer: string
  confidence: Confidence
  citations: AnswerCitation[]
  /** Follow-up questions, built from pages that were found but not cited. */
  followUps: string[]
}

/**
 * Why the answer of a configured model was not used. `timeout`: it did not come in time; `refused`: the provider
 * rejected
 * the request; `busy`: the provider was overloaded; `unavailable`: it could not be reached, or broke off;
 * `over_budget`: the tokens of the day are used up; `unusable`: the passages do not bear the answer out.
 */
export const MODEL_FAILURES = ['timeout', 'refused', 'busy', 'unavailable', 'over_budget', 'unusable'] as const
export type AnswerFailure = (typeof MODEL_FAILURES)[number]

/** An answer with an optional remark for the reader on how it was produced. */
export type RemarkedAnswer = Answer & {
  remark?: string
  /** The answer is quoted from the sources although a model is configured. */
  isExtractive?: true
  failure?: AnswerFailure
}

/** The next piece of an answer that is being written. `restart` withdraws all earlier pieces. */
export type AnswerPiece =
  | { kind: 'text'; text: string; citations: Pick<AnswerCitation, 'n' | 'title' | 'heading' | 'url'>[] }
  | { kind: 'restart' }

export type AnswerCitation = {
  n: number
  title: string
  heading: string
  url: string
  sourceId: string
  /** Verbatim text of the passage. */
  quote: string
  /** Score of the passage. Comparable within one answer only. */
  score: number
}
