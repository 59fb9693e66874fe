import type { Db } from '#store/db.ts'
import { deletedRows } from '#store/engine/changed-row.ts'

/** Calls deleted per statement, so that nothing waits long. */
const AT_ONCE = 500

/** Deletes some calls before `at`, of one server or of all, oldest first. Returns their number. */
export async function deleteCallsBefore(db: Db, at: number, serverId?: string): Promise<number> {
  const oldest = db.selectFrom('calls').select('seq').where('at', '<', at)
  const own = serverId === undefined ? oldest : oldest.where('serverId', '=', serverId)
  return deletedRows(db.deleteFrom('calls').where('seq', 'in', own.orderBy('at').limit(AT_ONCE)))
}

/** Servers that were called in the last days. Logs of others do not grow. */
export async function recentlyCalledServers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('callHours').select('serverId').distinct().execute()
  return rows.map(({ serverId }) => serverId)
}

/** Time of the newest call outside the server's last `keep` calls, or null. */
export async function timeBeforeLast(db: Db, serverId: string, keep: number): Promise<number | null> {
  const row = await db
    .selectFrom('calls')
    .select('at')
    .where('serverId', '=', serverId)
    .orderBy('at', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}
