import type { TextKind } from '../embedding-model.ts'
import type { OnnxRuntime } from '#lib/model-settings.ts'
import type { ModelFolder } from './read-model-folder.ts'

/** Tasks of the model process: open the model once, then embed texts. */
export type OnnxTask =
  | { ask: 'open'; folder: ModelFolder; runtime: OnnxRuntime }
  | { ask: 'embed'; texts: readonly string[]; kind: TextKind }

export type OpenedModel = {
  dimensions: number
  /** Identical for the same files and settings in any folder. */
  fingerprint: string
}

export type OnnxAnswer =
  | { gave: 'model'; model: OpenedModel }
  | { gave: 'vectors'; vectors: Float32Array[]; tokens: number }
  | { gave: 'failure'; message: string }
