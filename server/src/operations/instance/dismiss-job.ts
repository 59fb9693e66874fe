import { DocentError } from '#errors.ts'
import { takeFailedJob } from '#store/jobs/job-report.ts'
import type { Handler } from '../operation.ts'

export const dismissJob: Handler<'instance.dismissJob'> = async ({ deps, jobId }) => {
  const job = await deps.store.transaction((tx) => takeFailedJob(tx, jobId))
  // Another operator may have dismissed or retried it first.
  if (!job) throw new DocentError('job_not_found')
  return { ok: true }
}
