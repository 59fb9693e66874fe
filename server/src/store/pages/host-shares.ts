import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** Records that a node uses a host until `until`, and the end of the host's requested pause. */
export async function saveHostShare(
  db: Db,
  share: { host: string; node: string; until: number; notBefore: number },
): Promise<void> {
  await db
    .insertInto('hostShares')
    .values(share)
    .onConflict((conflict) =>
      conflict
        .columns(['host', 'node'])
        .doUpdateSet((is) => ({ until: is.ref('excluded.until'), notBefore: is.ref('excluded.notBefore') })),
    )
    .execute()
}

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
export async function takeHostSlot(
  db: Db,
  { host, now, spacingMs }: { host: string; now: number; spacingMs: number },
): Promise<number> {
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
  await db.deleteFrom('hostShares').where('until', '<', before).execute()
  await db.deleteFrom('hostSlots').where('nextAt', '<', before).execute()
}
