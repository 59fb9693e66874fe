import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { SourceRow } from '#store/sources/sources.ts'

/** Columns for the progress of a server. */
export type ProgressRow = Pick<
  SourceRow,
  | 'id'
  | 'serverId'
  | 'crawlStatus'
  | 'crawlStartedAt'
  | 'pagesFound'
  | 'pagesToGo'
  | 'pagesIndexed'
  | 'pagesSkipped'
  | 'pagesFailed'
>

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
  return (
    db
      .selectFrom('servers')
      .select(['id', 'createdAt'])
      // From the end of the index of calls: one look-up for each server.
      .select(sql<number | null>`(select max(at) from calls where calls.server_id = servers.id)`.as('lastCallAt'))
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)))
      .orderBy('createdAt')
      .orderBy('id')
      .limit(SLICE)
      .execute()
  )
}

async function readSlice(db: Db, accountId: string, rows: readonly Row[]): Promise<ServerProgress[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const servers = new Map(
    rows.map(({ id, lastCallAt }): [string, ServerProgress] => [
      id,
      { serverId: id, accountId, sources: [], jobs: { queued: 0, running: 0, failed: 0 }, lastCallAt },
    ]),
  )
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
