/** How well the sources bear an answer out: `none` when they do not speak of what was asked. */
export type Confidence = 'high' | 'medium' | 'low' | 'none'

export type Answer = {
  /** Markdown in which `[n]` marks what rests on citation n. */
  answer: string
  confidence: Confidence
  citations: AnswerCitation[]
  /** Questions to go on with, in words of pages that were found and are not cited. */
  followUps: string[]
}

/** An answer with a remark for its reader, where there is something to be said of how it came about. */
export type RemarkedAnswer = Answer & {
  remark?: string
  /** Although there is a model, the answer is quoted from the sources. */
  isExtractive?: true
}

export type AnswerCitation = {
  n: number
  title: string
  heading: string
  url: string
  sourceId: string
  /** Verbatim from the passage. */
  quote: string
  /** Of the passage; comparable within one answer only. */
  score: number
}
