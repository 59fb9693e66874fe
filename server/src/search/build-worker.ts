import { serveApart } from '#lib/serve-apart.ts'
import { type BuildTask, runBuildTask } from './build-tasks.ts'

/** What the worker answers for each task, in the order of the tasks. */
export type BuildAnswer = { ok: true; bytes: Uint8Array<ArrayBuffer> | null } | { ok: false; error: unknown }

serveApart((task: BuildTask): BuildAnswer => {
  try {
    return { ok: true, bytes: runBuildTask(task) }
  } catch (error) {
    // It belongs to whoever gave the task; the next one is none the worse.
    return { ok: false, error }
  }
})
