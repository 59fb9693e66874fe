import type { Db } from '#store/db.ts'
import type { Job } from '#store/jobs/job.ts'

/** The server of a job, if its account has an enabled webhook. Null otherwise: most accounts have none. */
export async function findSubscribedServer(db: Db, { id }: Pick<Job, 'id'>): Promise<string | null> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('servers', 'servers.id', 'jobs.serverId')
    .select('jobs.serverId')
    .where('jobs.id', '=', id)
    .where((is) =>
      is.exists(
        is
          .selectFrom('webhooks')
          .select('webhooks.id')
          .whereRef('webhooks.accountId', '=', 'servers.accountId')
          .where('enabled', '=', 1),
      ),
    )
    .executeTakeFirst()
  return row?.serverId ?? null
}
