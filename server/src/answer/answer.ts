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

/** An answer with an optional remark for the reader on how it was produced. */
export type RemarkedAnswer = Answer & {
  remark?: string
  /** The answer is quoted from the sources although a model is configured. */
  isExtractive?: true
}

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
