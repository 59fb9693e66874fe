import type { OnnxRuntime } from '#lib/settings.ts'
import { serveTasks } from '#workers/serve-child.ts'
import type { Embedded, TextKind } from '../embedding-model.ts'
import { type OnnxModel, type OpenedModel, openOnnxModel } from './onnx-model.ts'
import type { ModelFolder } from './read-model-folder.ts'

export type EmbedTask = { texts: readonly string[]; kind: TextKind }

/** Tasks of the process: open the model once, then embed texts. */
export type OnnxTask = { folder: ModelFolder; runtime: OnnxRuntime } | EmbedTask

serveTasks(createAnswerer())

function createAnswerer(): (task: OnnxTask) => Promise<OpenedModel | Embedded> {
  let model: OnnxModel | null = null
  return async (task) => {
    if ('folder' in task) {
      model = await openOnnxModel(task.folder, task.runtime)
      return { dimensions: model.dimensions, fingerprint: model.fingerprint }
    }
    if (model === null) throw new Error('It was asked before it was opened.')
    return task.texts.length === 0 ? { vectors: [], tokens: 0 } : model.embed(task.texts, task.kind)
  }
}
