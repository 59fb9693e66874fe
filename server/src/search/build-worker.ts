import { serveChild } from '#workers/serve-child.ts'
import { type BuildTask, runBuildTask } from './build-tasks.ts'

/** Result of a task. Results arrive in task order. */
export type BuildAnswer = { ok: true; bytes: Uint8Array<ArrayBuffer> | null } | { ok: false; error: unknown }

serveChild((task: BuildTask): BuildAnswer => {
  try {
    return { ok: true, bytes: runBuildTask(task) }
  } catch (error) {
    // The error concerns this task only, so the worker stays usable.
    return { ok: false, error }
  }
})
