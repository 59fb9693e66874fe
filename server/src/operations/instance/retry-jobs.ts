import { failedJobIds } from '#store/jobs/job-report.ts'
import type { Handler } from '../operation.ts'
import { requeueJob } from './requeue-job.ts'

/** Ids per query. Each job has a separate transaction. */
const AT_ONCE = 100

export const retryAllJobs: Handler<'instance.retryJobs'> = async ({ deps, signal }) => {
  let retried = 0
  for (let ids = await failedJobIds(deps.store.read, 0, AT_ONCE); ids.length > 0;) {
    for (const id of ids) {
      signal.throwIfAborted()
      if (await requeueJob(deps, id)) retried++
    }
    ids = await failedJobIds(deps.store.read, ids.at(-1) ?? 0, AT_ONCE)
  }
  deps.wakeWorker()
  return { ok: true, retried }
}
