import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { Survey, Trial } from '#builder/survey.ts'
import type { Forgotten } from '#search/shared-index.ts'
import type { SharedImpacts } from '#search/rank/term-impacts.ts'
import type { ResultForm, SerialisedResult, ToolError } from '../definition/tool-result.ts'
import type { SearchRule } from '#search/rules/active-rules.ts'
import type { MissingPath, NamedPath, CallPreview, CallTrace, RecordedCall } from './inspect-call.ts'

/** Tasks of tool threads, with their input and result. */
export type ToolTasks = {
  call: {
    input: { tool: string; args: unknown; form: ResultForm; hasModel: boolean; reports: boolean }
    result: SerialisedResult
  }
  trace: { input: { call: RecordedCall }; result: CallTrace }
  preview: { input: { call: RecordedCall; rules: readonly SearchRule[] }; result: CallPreview }
  pages: { input: { cursor: string | undefined }; result: SerialisedResult }
  page: { input: { uri: string }; result: SerialisedResult }
  paths: { input: { paths: readonly NamedPath[] }; result: MissingPath[] }
  survey: { input: { topic: string }; result: Survey }
  try: { input: { plan: CustomToolPlan; inputs: Record<string, unknown>[] }; result: Trial[] }
}

/** `server` identifies a version of a server's row, which a thread requests once. */
export type ToolTask = {
  [Kind in keyof ToolTasks]: { kind: Kind; server: number } & ToolTasks[Kind]['input']
}[keyof ToolTasks]

/** The outcome of a task. Bugs are thrown. */
export type ToolOutcome =
  | { result: ToolTasks[keyof ToolTasks]['result'] }
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
