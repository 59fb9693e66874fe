import type { Forgotten } from '#search/shared-index.ts'
import type { SharedImpacts } from '#search/rank/term-impacts.ts'
import type { ResultForm, SerialisedResult } from './serialised-result.ts'
import type { ToolError } from './tool-error.ts'
import type { CallTrace, RecordedCall } from './trace-call.ts'

/** What threads for tools are given to do. `server` stands for one state of a server's row, which a thread asks for once. */
export type ToolTask = { server: number } & (
  | { kind: 'call'; tool: string; args: unknown; form: ResultForm; hasModel: boolean }
  | { kind: 'trace'; call: RecordedCall }
)

/** What comes of it. Bugs are thrown. */
export type ToolOutcome =
  | { result: SerialisedResult }
  | { trace: CallTrace }
  | { refused: { reason: ToolError['reason']; message: string } }

/** Given to each thread. */
export type ToolThreadData = {
  /** Name of the model that makes embeddings of questions; null where there is none. */
  embeddingModel: string | null
  /** Bytes of page texts, and of their sections, that each thread keeps. */
  textCacheBytes: number
  sectionCacheBytes: number
  segmentBytes: number
}

/** From a thread: impacts that it made of these segments, and keys of those it used. */
export type ToolThreadNote =
  | { made: { key: string; impacts: SharedImpacts; segments: readonly string[] } }
  | { used: string[] }

/** To the threads: impacts that another one made, and what is to be forgotten. */
export type ToolPoolNote = { made: { key: string; impacts: SharedImpacts } } | { forget: Forgotten }
