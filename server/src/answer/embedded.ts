import type { EmbedToolName } from '@docent/contract/values/embed-tools'
import type { SourceSetting } from '@docent/contract/values/setting-texts'

/** A question of a widget's visitor. */
export type EmbeddedQuestion = {
  /** The owner of the configuration. */
  accountId: string
  configurationId: string
  /** The developer's id of the user who asks, if an attribution token named one. */
  endUserId: string | null
  /** Settings that choose the sources. */
  sources: readonly SourceSetting[]
  /** Private servers answer too. */
  withPrivate: boolean
  tool: EmbedToolName
  text: string
}

export type EmbeddedAnswer = {
  citations: { n: number; title: string; heading: string; url: string }[]
  /** Markdown in which `[n]` refers to citation n, in parts. */
  parts: string[]
  confidence: 'high' | 'medium' | 'low' | 'none' | null
  followUps: string[]
  /** How the answer was made, if its reader should know. */
  remark: string | null
}

/** An answer with the id of its call, for feedback. */
export type LoggedAnswer = EmbeddedAnswer & { call: string }

/** The next piece of an answer that is being written. `restart` withdraws all earlier pieces. */
export type EmbeddedPiece = { kind: 'text'; text: string; citations: EmbeddedAnswer['citations'] } | { kind: 'restart' }

/** Answers a prepared question, and reports how far the answer is. */
export type AnswerEmbedded = (
  signal: AbortSignal,
  report: (message: string, piece?: EmbeddedPiece) => void,
) => Promise<LoggedAnswer>
