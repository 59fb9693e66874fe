import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

export type SourceUsage = { serverId: string; sources: number; credits: number }
type Place = { serverId: string; createdAt: number }

/** Servers per read: about 2 ms on SQLite, which blocks everything else. */
const SLICE = 200

/** Source count and purchased sources of every live server of the account, oldest first. */
export async function sourceUsage(db: Db, accountId: string): Promise<SourceUsage[]> {
  const all: SourceUsage[] = []
  for (let after: Place | undefined = { serverId: '', createdAt: -1 }; after;) {
    const rows = await readSlice(db, accountId, after)
    for (const { serverId, sources, credits } of rows) all.push({ serverId, sources, credits })
    after = rows.length === SLICE ? rows.at(-1) : undefined
    // Otherwise SQLite would read all slices in one turn of the event loop.
    if (after) await nextTurn()
  }
  return all
}

function readSlice(db: Db, accountId: string, after: Place): Promise<(SourceUsage & Place)[]> {
  return db
    .selectFrom('servers')
    .leftJoin('sources', 'sources.serverId', 'servers.id')
    .leftJoin('sourceCredits', 'sourceCredits.serverId', 'servers.id')
    .select([
      'servers.id as serverId',
      'servers.createdAt',
      sql<number>`count(sources.id)`.as('sources'),
      sql<number>`coalesce(max(source_credits.credits), 0)`.as('credits'),
    ])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('servers.createdAt', 'servers.id'), '>', tuple(after.createdAt, after.serverId)),
    )
    .groupBy(['servers.id', 'servers.createdAt'])
    .orderBy('servers.createdAt')
    .orderBy('servers.id')
    .limit(SLICE)
    .execute()
}
