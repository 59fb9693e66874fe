import type { Outcome } from '@docent/contract/values/outcomes'
import type { Confidence } from '#answer/answer.ts'
import type { ToolError } from './tool-result.ts'

/** The outcome of a tool that lists what it found. */
export const outcomeOfResults = ({ length }: { readonly length: number }): Outcome => (length > 0 ? 'answered' : 'none')

const OF_CONFIDENCE: Record<Confidence, Outcome> = {
  high: 'answered',
  medium: 'answered',
  low: 'related',
  none: 'none',
}

/** The outcome of an answer to a question. */
export const outcomeOfAnswer = (confidence: Confidence): Outcome => OF_CONFIDENCE[confidence]

const OF_REASON: Record<ToolError['reason'], Outcome> = { arguments: 'refused', failed: 'failed', later: 'failed' }

/** The outcome of a call that threw. Null stands for an error that is not for the caller. */
export const outcomeOfError = (error: ToolError | null): Outcome => (error ? OF_REASON[error.reason] : 'failed')

/** The first one of these that a step had decides. A step that failed may have had the answer. */
const DECISIVE: readonly Outcome[] = ['answered', 'related', 'failed']

/** The outcome of a tool with several steps. */
export const outcomeOfSteps = (outcomes: readonly Outcome[]): Outcome =>
  DECISIVE.find((outcome) => outcomes.includes(outcome)) ?? 'none'
