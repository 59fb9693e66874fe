import type { TextKind } from '../embedding-model.ts'
import type { OnnxRuntime } from './find-onnx-runtime.ts'
import type { ModelFolder } from './read-model-folder.ts'

/** What the process with the model is asked: to open it, once, and then for vectors. */
export type OnnxTask =
  | { ask: 'open'; folder: ModelFolder; runtime: OnnxRuntime }
  | { ask: 'embed'; texts: readonly string[]; kind: TextKind }

export type OpenedModel = {
  dimensions: number
  /** The same for the same files used in the same way, wherever they lie. */
  fingerprint: string
}

export type OnnxAnswer =
  | { gave: 'model'; model: OpenedModel }
  | { gave: 'vectors'; vectors: Float32Array[]; tokens: number }
  | { gave: 'failure'; message: string }
