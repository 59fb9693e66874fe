/** How well the sources bear an answer out: `none` when they do not speak of what was asked. */
export type Confidence = 'high' | 'medium' | 'low' | 'none'

export type Answer = {
  /** Markdown in which `[n]` marks what rests on citation n. */
  answer: string
  confidence: Confidence
  citations: AnswerCitation[]
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
