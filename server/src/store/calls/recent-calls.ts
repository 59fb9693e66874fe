import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { serverIdsOf } from '#store/servers/servers.ts'

/** Calls of a server on one day (from 1970, UTC). */
export type DayCount = { serverId: string; day: number; calls: number; failed: number }

/**
 * Servers per read. A busy server has some thousand counts in a week, which take about 2 ms on SQLite and block
 * everything else.
 */
const SLICE = 20

/** Calls by server and day since a day, of some live servers of the account, or of all if `serverIds` is null. */
export async function* recentCalls(
  db: Db,
  { accountId, serverIds, sinceDay }: { accountId: string; serverIds: ReadonlySet<string> | null; sinceDay: number },
): AsyncGenerator<DayCount[]> {
  const ids = (await serverIdsOf(db, accountId)).filter((id) => !serverIds || serverIds.has(id))
  for (let from = 0; from < ids.length; from += SLICE) {
    yield await readSlice(db, ids.slice(from, from + SLICE), sinceDay)
    // Otherwise SQLite would read all slices in one turn of the event loop.
    await nextTurn()
  }
}

/** Each call is counted either in an hour or in a day. */
async function readSlice(db: Db, ids: readonly string[], sinceDay: number): Promise<DayCount[]> {
  const listed = sql.join(ids)
  const { rows } = await sql<DayCount>`
    select server_id, day, sum(calls) as calls, sum(case when status = 'error' then calls else 0 end) as failed
    from (
      select server_id, hour / 24 as day, status, calls from call_hours
      where server_id in (${listed}) and hour >= ${sinceDay * 24}
      union all
      select server_id, day, status, calls from call_groups
      where server_id in (${listed}) and dimension = 'all' and day >= ${sinceDay}
    ) as counted where calls > 0 group by server_id, day order by server_id, day`.execute(db)
  return rows
}
