import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { FAILED } from '#store/calls/read-counts.ts'
import type { Db } from '#store/db.ts'
import type { SourceRow } from '#store/sources/sources.ts'
import { serverIdsOf } from './servers.ts'

export type ProgressRow = Pick<SourceRow, 'id' | 'serverId' | 'crawlStatus' | 'crawlStartedAt'> &
  Pick<SourceRow, 'pagesFound' | 'pagesToGo' | 'pagesIndexed' | 'pagesSkipped' | 'pagesFailed'>

export type JobCounts = { queued: number; running: number; failed: number }

export type ServerProgress = {
  serverId: string
  accountId: string
  sources: ProgressRow[]
  jobs: JobCounts
  /** Time of the last call in the request log; null without one. */
  lastCallAt: number | null
}

/** Servers per read: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 100

/** All live servers of some accounts, with their sources in order and their jobs. Three queries per slice. */
export async function* readAccountsProgress(db: Db, accountIds: readonly string[]): AsyncGenerator<ServerProgress[]> {
  for (const accountId of new Set(accountIds)) {
    let after: Place | undefined
    do {
      const rows = await readRows(db, accountId, after)
      yield await readSlice(db, accountId, rows)
      after = rows.length === SLICE ? rows.at(-1) : undefined
      // Otherwise SQLite would read all slices in one turn of the event loop.
      if (after) await nextTurn()
    } while (after)
  }
}

type Place = { createdAt: number; id: string }
type Row = Place & { lastCallAt: number | null }

/** Uses index order: the account's servers are scanned once, however many slices there are. */
function readRows(db: Db, accountId: string, after: Place = { createdAt: -1, id: '' }): Promise<Row[]> {
  // From the end of the index of calls: one look-up for each server.
  const lastCallAt = sql<number | null>`(select max(at) from calls where calls.server_id = servers.id)`
  return db
    .selectFrom('servers')
    .select(['id', 'createdAt', lastCallAt.as('lastCallAt')])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(SLICE)
    .execute()
}

async function readSlice(db: Db, accountId: string, rows: readonly Row[]): Promise<ServerProgress[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const servers = new Map<string, ServerProgress>()
  for (const { id, lastCallAt } of rows) {
    const jobs = { queued: 0, running: 0, failed: 0 }
    servers.set(id, { serverId: id, accountId, sources: [], jobs, lastCallAt })
  }
  const sources = await db
    .selectFrom('sources')
    .select(['id', 'serverId', 'crawlStatus', 'crawlStartedAt'])
    .select(['pagesFound', 'pagesToGo', 'pagesIndexed', 'pagesSkipped', 'pagesFailed'])
    .where('serverId', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  for (const source of sources) servers.get(source.serverId)?.sources.push(source)
  const counts = await db
    .selectFrom('jobs')
    .select(['serverId', 'state', sql<number>`count(*)`.as('jobs')])
    .where('serverId', 'in', ids)
    .groupBy(['serverId', 'state'])
    .execute()
  for (const { serverId, state, jobs } of counts) {
    const server = servers.get(serverId ?? '')
    if (server && state !== 'done') server.jobs[state] = jobs
  }
  return [...servers.values()]
}

/** Calls of a server on one day (from 1970, UTC). */
export type DayCount = { serverId: string; day: number; calls: number; failed: number }

/** Servers per read. A week of a busy one has some thousand counts: 2 ms on SQLite, which block everything else. */
const COUNTS_SLICE = 20

/** Calls by server and day since a day, of some live servers of the account, or of all if `serverIds` is null. */
export async function* recentCalls(
  db: Db,
  { accountId, serverIds, sinceDay }: { accountId: string; serverIds: ReadonlySet<string> | null; sinceDay: number },
): AsyncGenerator<DayCount[]> {
  const ids = (await serverIdsOf(db, accountId)).filter((id) => !serverIds || serverIds.has(id))
  for (let from = 0; from < ids.length; from += COUNTS_SLICE) {
    yield await readCounts(db, ids.slice(from, from + COUNTS_SLICE), sinceDay)
    // Otherwise SQLite would read all slices in one turn of the event loop.
    await nextTurn()
  }
}

/** Each call is counted either in an hour or in a day. */
async function readCounts(db: Db, ids: readonly string[], sinceDay: number): Promise<DayCount[]> {
  const listed = sql.join(ids)
  const { rows } = await sql<DayCount>`
    select server_id, day, sum(calls) as calls, ${FAILED} as failed
    from (
      select server_id, hour / 24 as day, outcome, calls from call_hours
      where server_id in (${listed}) and hour >= ${sinceDay * 24}
      union all
      select server_id, day, outcome, calls from call_groups
      where server_id in (${listed}) and dimension = 'all' and day >= ${sinceDay}
    ) as counted where calls > 0 group by server_id, day order by server_id, day`.execute(db)
  return rows
}
