import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { Survey, Trial } from '#builder/survey.ts'
import type { Forgotten } from '#search/shared-index.ts'
import type { SharedImpacts } from '#search/rank/term-impacts.ts'
import type { ResultForm, SerialisedResult, ToolError } from '../definition/tool-result.ts'
import type { SearchRule } from '#search/rules/active-rules.ts'
import type { MissingPath, NamedPath, CallPreview, CallTrace, RecordedCall } from './inspect-call.ts'

/** Tasks of tool threads. `server` identifies a version of a server's row, which a thread requests once. */
export type ToolTask = { server: number } & (
  | { kind: 'call'; tool: string; args: unknown; form: ResultForm; hasModel: boolean; reports: boolean }
  | { kind: 'trace'; call: RecordedCall }
  | { kind: 'preview'; call: RecordedCall; rules: readonly SearchRule[] }
  | { kind: 'pages'; cursor: string | undefined }
  | { kind: 'page'; uri: string }
  | { kind: 'paths'; paths: readonly NamedPath[] }
  | { kind: 'survey'; topic: string }
  | { kind: 'try'; plan: CustomToolPlan; inputs: Record<string, unknown>[] }
)

/** The outcome of a task. Bugs are thrown. */
export type ToolOutcome =
  | { result: SerialisedResult }
  | { trace: CallTrace }
  | { preview: CallPreview }
  | { missing: MissingPath[] }
  | { survey: Survey }
  | { trials: Trial[] }
  | { refused: { reason: ToolError['reason']; message: string } }

/** Start parameters of a thread. */
export type ToolThreadData = {
  /** Embedding model for queries, or null. */
  embeddingModel: string | null
  /** Cache limit per thread for page texts and their sections, in bytes. */
  textCacheBytes: number
  sectionCacheBytes: number
  segmentBytes: number
}

/** From a thread: impacts it computed for these segments, and the keys it used. */
export type ToolThreadNote =
  | { made: { key: string; impacts: SharedImpacts; segments: readonly string[] } }
  | { used: string[] }

/** To the threads: impacts computed by another thread, and entries to drop. */
export type ToolPoolNote = { made: { key: string; impacts: SharedImpacts } } | { forget: Forgotten }
