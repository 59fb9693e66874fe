import type { Outcome } from '@docent/contract/values/outcomes'
import type { EmbedToolName } from '@docent/contract/values/embed-tools'
import type { SourceSetting } from '@docent/contract/values/setting-texts'
import type { AnalyserOf } from '#search/analyse/word-analyser.ts'
import type { Passage, SearchResult } from '#search/passage.ts'

/** Support of an answer by its sources. `none`: the sources do not cover the question. */
export type Confidence = 'high' | 'medium' | 'low' | 'none'

export type Answer = {
  /** Markdown in which `[n]` marks a statement supported by citation n. */
  answer: string
  confidence: Confidence
  citations: AnswerCitation[]
}

/**
 * Why the answer of a configured model was not used. `timeout`: it did not come in time; `refused`: the provider
 * rejected the request; `busy`: the provider was overloaded; `unavailable`: it could not be reached, or broke off;
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
export type AnswerPiece = { kind: 'text'; text: string; citations: CitedPlace[] } | { kind: 'restart' }

/** A citation by its number and place. */
type CitedPlace = { n: number; title: string; heading: string; url: string }

export type AnswerCitation = CitedPlace & {
  sourceId: string
  /** Verbatim text of the passage. */
  quote: string
  /** Score of the passage. Comparable within one answer only. */
  score: number
}

/** Input of an answer: the passages found for a question, and statistics of the search. */
export type Found = Pick<SearchResult, 'passages' | 'words' | 'agreement' | 'pinned' | 'excluded'> & {
  /** Corrected spelling of words of the question. */
  repaired?: SearchResult['repaired']
  /** The API operation that the question asks about: the first passage of its page, shown first, and the whole page. */
  endpoint?: { first: Passage; page: Passage } | null
  /** The entry of the release whose changes the question asks for. */
  release?: Passage | null
  /** Number of passages at the beginning that are entries or pages named by the question. */
  named?: number
  /** Analysers that remember the words of earlier answers. */
  analyserOf?: AnalyserOf
  /** The same for each part of a question that asks for several things. */
  parts?: readonly FoundPart[]
}

/** One of several things that a question asks for. */
export type QuestionPart = {
  /** The part in the words of the question, to show above its answer. */
  label: string
  /** The part as a complete question, with the names that it refers to. */
  question: string
  /** The name that the answer must be about, if the part is a side of a comparison. */
  side: string | null
}

export type FoundPart = QuestionPart & { found: Found }

/** A question of a widget's visitor. */
export type EmbeddedQuestion = {
  /** The owner of the configuration. */
  accountId: string
  configurationId: string
  /** The developer's id of the user who asks, if an attribution token named one. */
  endUserId: string | null
  /** Settings that choose the sources. */
  sources: readonly SourceSetting[]
  /** The visitor has an attribution token, so private servers answer too. */
  withPrivate: boolean
  /** Network address of the visitor. */
  address: string
  tool: EmbedToolName
  text: string
}

export type EmbeddedAnswer = {
  citations: CitedPlace[]
  /** Markdown in which `[n]` refers to citation n, in parts. */
  parts: string[]
  outcome: Outcome
  confidence: Confidence | null
  followUps: string[]
  /** How the answer was made, if its reader should know. */
  remark: string | null
}

/** An answer with the id of its call, for feedback. */
export type LoggedAnswer = EmbeddedAnswer & { call: string }

/** Answers a prepared question, and reports how far the answer is. */
export type AnswerEmbedded = (
  signal: AbortSignal,
  report: (message: string, piece?: AnswerPiece) => void,
) => Promise<LoggedAnswer>
