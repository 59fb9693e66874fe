import type { Db } from '#store/db.ts'
import type { JobKind } from '#store/jobs/kinds.ts'

export type FailedJob = {
  id: number
  kind: JobKind
  payload: string
  serverId: string | null
  sourceId: string | null
  dedupeKey: string | null
}

export async function hasFailedJob(db: Db, id: number): Promise<boolean> {
  const query = db.selectFrom('jobs').select('id').where('id', '=', id).where('state', '=', 'failed')
  return (await query.executeTakeFirst()) !== undefined
}

/** Deletes a failed job, with earlier failures of the same work, and returns it. */
export async function takeFailedJob(tx: Db, id: number): Promise<FailedJob | undefined> {
  const job = await tx
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning(['id', 'kind', 'payload', 'serverId', 'sourceId', 'dedupeKey'])
    .executeTakeFirst()
  if (!job) return undefined
  if (job.dedupeKey !== null)
    await tx.deleteFrom('jobs').where('dedupeKey', '=', job.dedupeKey).where('state', '=', 'failed').execute()
  return { ...job, kind: job.kind as JobKind }
}

/** Ids of all failed jobs, the oldest first, at most `limit` after an id. */
export async function failedJobIds(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'failed')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
