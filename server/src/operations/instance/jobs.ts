import { countReportedJobs, listReportedJobs } from '#store/jobs/job-report.ts'
import { isoTime } from '../servers/present.ts'
import type { Handler } from '../operation.ts'
import { pagingOf, partOf } from './present.ts'

export const listJobs: Handler<'instance.jobs'> = async ({ deps }, { state, page }) => {
  const { read } = deps.store
  const total = await countReportedJobs(read, state)
  const rows = await listReportedJobs(read, state, partOf(page))
  const jobs = rows.map(({ id, serverId, serverName, runAt, createdAt, updatedAt, ...job }) => ({
    ...job,
    id: String(id),
    server: serverId === null ? null : { serverId, name: serverName ?? '' },
    runAt: isoTime(runAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }))
  return { jobs, ...pagingOf(page, total) }
}
