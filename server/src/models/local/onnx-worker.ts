import { serveChild } from '#workers/serve-child.ts'
import { type OnnxModel, openOnnxModel } from './onnx-model.ts'
import type { OnnxAnswer, OnnxTask } from './onnx-process.ts'

serveChild(createAnswerer())

/** Answers tasks with the model that the first of them opens. */
function createAnswerer(): (task: OnnxTask) => Promise<OnnxAnswer> {
  let model: OnnxModel | null = null
  return async (task) => {
    try {
      if (task.ask === 'open') {
        model = await openOnnxModel(task.folder, task.runtime)
        return { gave: 'model', model: { dimensions: model.dimensions, fingerprint: model.fingerprint } }
      }
      if (model === null) throw new Error('It was asked before it was opened.')
      return { gave: 'vectors', ...(await model.embed(task.texts, task.kind)) }
    } catch (error) {
      // The failure concerns this task only, so the process stays usable.
      return { gave: 'failure', message: error instanceof Error ? error.message : String(error) }
    }
  }
}
