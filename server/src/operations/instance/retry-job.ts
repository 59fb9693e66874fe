import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { requeueJob } from './requeue-job.ts'

export const retryJob: Handler<'instance.retryJob'> = async ({ deps, jobId }) => {
  // Another operator may have retried it first.
  if ((await requeueJob(deps, jobId)) === null) throw new DocentError('job_not_found')
  deps.wakeWorker()
  return { ok: true }
}
