import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { below, deleteRows, saveRow } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

/** Records that a node uses a host until `until`, and the end of the host's requested pause. */
export const saveHostShare = (db: Db, share: Schema['hostShares']) => saveRow(db, 'hostShares', ['host', 'node'], share)

/** Number of nodes that use a host now, and the latest requested pause of all. */
export async function readHostShares(db: Db, host: string, now: number): Promise<{ nodes: number; notBefore: number }> {
  return db
    .selectFrom('hostShares')
    .select([sql<number>`count(*)`.as('nodes'), sql<number>`coalesce(max(not_before), 0)`.as('notBefore')])
    .where('host', '=', host)
    .where('until', '>', now)
    .executeTakeFirstOrThrow()
}

/** Reserves the next request start for a host, at least `spacingMs` after the previous one, in one atomic statement. */
export async function takeHostSlot(db: Db, { host, now, spacingMs }: { host: string; now: number; spacingMs: number }) {
  const { nextAt } = await db
    .insertInto('hostSlots')
    .values({ host, nextAt: now + spacingMs })
    .onConflict((conflict) =>
      conflict.column('host').doUpdateSet({
        nextAt: sql<number>`case when host_slots.next_at > ${sql.lit(now)} then host_slots.next_at
          else ${sql.lit(now)} end + ${sql.lit(spacingMs)}`,
      }),
    )
    .returning('nextAt')
    .executeTakeFirstOrThrow()
  return nextAt - spacingMs
}

/** Deletes entries that expired before `before`. */
export async function deleteOldHostShares(db: Db, before: number): Promise<void> {
  await deleteRows(db, 'hostShares', { until: below(before) })
  await deleteRows(db, 'hostSlots', { nextAt: below(before) })
}
