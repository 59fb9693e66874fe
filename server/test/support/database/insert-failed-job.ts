import type { Db } from '#store/db.ts'

type Failed = { serverId: string; sourceId: string; error?: string; at?: number }

/** Inserts an indexing job that has failed, and marks its source. Returns its id. */
export async function insertFailedJob(
  db: Db,
  { serverId, sourceId, error = 'The site answered 503.', at = 1 }: Failed,
): Promise<number> {
  const about = { dedupeKey: `ingest:${sourceId}`, accountId: '', serverId, sourceId }
  const times = { runAt: at, createdAt: at, updatedAt: at }
  const { id } = await db
    .insertInto('jobs')
    .values({
      kind: 'ingest',
      payload: JSON.stringify({ sourceId }),
      state: 'failed',
      attempts: 5,
      fence: 5,
      leaseUntil: null,
      error,
      ...about,
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('sources').set({ crawlStatus: 'error', crawlError: error }).where('id', '=', sourceId).execute()
  return id
}
