import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** Number of sources purchased for the server. */
export async function sourceCredits(db: Db, serverId: string): Promise<number> {
  const row = await db.selectFrom('sourceCredits').select('credits').where('serverId', '=', serverId).executeTakeFirst()
  return row?.credits ?? 0
}

/** Adds purchased sources to the server. Returns the new total. */
export async function addSourceCredits(db: Db, serverId: string, credits: number, updatedAt: number): Promise<number> {
  const row = await db
    .insertInto('sourceCredits')
    .values({ serverId, credits, updatedAt })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({
        credits: sql<number>`source_credits.credits + excluded.credits`,
        updatedAt,
      }),
    )
    .returning('credits')
    .executeTakeFirstOrThrow()
  return row.credits
}
