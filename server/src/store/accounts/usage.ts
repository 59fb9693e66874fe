import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { findRow, sumsOf } from '#store/rows.ts'

const count = preparedRow(['', '', 0], (db, [accountId, month, limit]) =>
  db
    .insertInto('monthlyCalls')
    .values({ accountId, month, calls: sql.lit(1) })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'month'])
        .doUpdateSet(sumsOf('monthlyCalls', 'calls'))
        .where('monthlyCalls.calls', '<', limit),
    )
    .returning('calls'),
)

/** Counts one call in this month, in one statement, exact across nodes. Null if the account has `limit` already. */
export async function countCall(
  db: Db,
  { accountId, month, limit }: { accountId: string; month: string; limit: number },
): Promise<number | null> {
  return (await count(db, accountId, month, limit))?.calls ?? null
}

/** Adds calls of an account without a limit. Does nothing for a deleted account. */
export const addCalls = (tx: Db, accountId: string, month: string, calls: number) =>
  sql`insert into monthly_calls (account_id, month, calls)
    select id, ${month}, cast(${calls} as bigint) from accounts where id = ${accountId}
    on conflict (account_id, month) do update set calls = monthly_calls.calls + excluded.calls`.execute(tx)

export async function callsInMonth(db: Db, accountId: string, month: string): Promise<number> {
  return (await findRow(db, 'monthlyCalls', { accountId, month }))?.calls ?? 0
}

type Row = Schema['modelUsage']

const DAY_MS = 24 * 60 * 60 * 1000

export async function addModelUsage(
  db: Db,
  { now, ...used }: Pick<Row, 'accountId' | 'kind' | 'inputTokens' | 'outputTokens'> & { now: number },
): Promise<void> {
  await db
    .insertInto('modelUsage')
    .values({ ...used, day: Math.floor(now / DAY_MS), requests: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'day', 'kind'])
        .doUpdateSet(sumsOf('modelUsage', 'requests', 'inputTokens', 'outputTokens')),
    )
    .execute()
}

/** The account of the source's server, or undefined if it is gone. */
export async function accountOfSource(db: Db, sourceId: string): Promise<string | undefined> {
  const owned = db.selectFrom('sources').innerJoin('servers', 'servers.id', 'sources.serverId')
  return (await owned.select('servers.accountId').where('sources.id', '=', sourceId).executeTakeFirst())?.accountId
}

/** Tokens of prompts and completions that the account used on the day of `now`. */
export async function tokensOfDay(db: Db, accountId: string, kind: Row['kind'], now: number): Promise<number> {
  const row = await findRow(db, 'modelUsage', { accountId, day: Math.floor(now / DAY_MS), kind })
  return row ? row.inputTokens + row.outputTokens : 0
}
