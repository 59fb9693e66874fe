import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { type ListPart, countRows, databaseTime, deleteRows, hasRow } from '#store/rows.ts'
import type { JobKind } from './job.ts'

type Row = Selectable<Schema['jobs']>

export type FailedJob = Pick<Row, 'id' | 'payload' | 'serverId' | 'sourceId' | 'dedupeKey'> & { kind: JobKind }

export const hasFailedJob = (db: Db, id: number) => hasRow(db, 'jobs', { id, state: 'failed' })

/** Deletes a failed job, with earlier failures of the same work, and returns it. */
export async function takeFailedJob(tx: Db, id: number): Promise<FailedJob | undefined> {
  const job = await tx
    .deleteFrom('jobs')
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returning(['id', 'kind', 'payload', 'serverId', 'sourceId', 'dedupeKey'])
    .executeTakeFirst()
  if (!job) return undefined
  if (job.dedupeKey !== null) await deleteRows(tx, 'jobs', { dedupeKey: job.dedupeKey, state: 'failed' })
  return { ...job, kind: job.kind as JobKind }
}

/** Ids of all failed jobs, the oldest first, at most `limit` after an id. */
export async function failedJobIds(db: Db, after: number, limit: number): Promise<number[]> {
  const failed = db.selectFrom('jobs').select('id').where('state', '=', 'failed').where('id', '>', after)
  return (await failed.orderBy('id').limit(limit).execute()).map(({ id }) => id)
}

export type ReportedState = 'queued' | 'running' | 'failed'

export type ReportedJob = Pick<Row, 'id' | 'attempts' | 'error' | 'serverId' | 'runAt' | 'createdAt' | 'updatedAt'> &
  Record<'serverName' | 'source' | 'account', string | null> & { kind: JobKind; state: ReportedState }

export async function listReportedJobs(db: Db, state: ReportedState, part: ListPart): Promise<ReportedJob[]> {
  const rows = await inState(db, state)
    .leftJoin('accounts', 'accounts.id', 'servers.accountId')
    .select(['jobs.id', 'kind', 'state', 'attempts', 'jobs.error', 'runAt', 'jobs.createdAt', 'jobs.updatedAt'])
    .select(['servers.id as serverId', 'servers.name as serverName', 'sources.url as source'])
    .select('accounts.email as account')
    .orderBy(state === 'failed' ? 'jobs.updatedAt' : 'runAt', state === 'failed' ? 'desc' : 'asc')
    .orderBy('jobs.id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()
  return rows as ReportedJob[]
}

export const countReportedJobs = (db: Db, state: ReportedState) => countRows(inState(db, state))

/** Time since which the oldest due job waits. Null if none is due. */
export async function oldestDueAt(db: Db): Promise<number | null> {
  const due = db.selectFrom('jobs').where('state', '=', 'queued').where('runAt', '<=', databaseTime(db))
  return (await due.select(sql<number | null>`min(run_at)`.as('at')).executeTakeFirst())?.at ?? null
}

/** Jobs in a state. A failed one counts until the same work is queued again or succeeds, which its source shows. */
function inState(db: Db, state: ReportedState) {
  const jobs = db
    .selectFrom('jobs')
    .leftJoin('servers', 'servers.id', 'jobs.serverId')
    .leftJoin('sources', 'sources.id', 'jobs.sourceId')
    .where('jobs.state', '=', state)
  if (state !== 'failed') return jobs
  const isOpen = sql<boolean>`jobs.kind = 'purge' or (servers.deleted_at is null and sources.crawl_status = 'error')`
  const isRepeated = sql<boolean>`exists (
    select 1 from jobs as later where later.dedupe_key = jobs.dedupe_key and later.id > jobs.id)`
  return jobs.where(sql<boolean>`(${isOpen})`).where(sql<boolean>`not ${isRepeated}`)
}
