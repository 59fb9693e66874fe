import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { findRow } from '#store/engine/statements.ts'

const count = prepared(['', '', 0], (db, [accountId, month, limit]) =>
  db
    .insertInto('monthlyCalls')
    .values({ accountId, month, calls: sql.lit(1) })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'month'])
        .doUpdateSet({ calls: sql<number>`monthly_calls.calls + 1` })
        .where('monthlyCalls.calls', '<', limit),
    )
    .returning('calls'),
)

/** Counts one call in this month, in one statement, exact across nodes. Null if the account has `limit` already. */
export async function countCall(
  db: Db,
  { accountId, month, limit }: { accountId: string; month: string; limit: number },
): Promise<number | null> {
  const [row] = await count(db, [accountId, month, limit])
  return row?.calls ?? null
}

const add = prepared(['', 0, ''], (tx, [month, calls, accountId]) =>
  tx
    .insertInto('monthlyCalls')
    .columns(['accountId', 'month', 'calls'])
    .expression((is) =>
      is
        .selectFrom('accounts')
        .select(['id as accountId', sql.val(month).as('month'), sql<number>`cast(${calls} as bigint)`.as('calls')])
        .where('id', '=', accountId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'month'])
        .doUpdateSet({ calls: sql<number>`monthly_calls.calls + excluded.calls` }),
    ),
)

/** Adds calls of an account without a limit. Does nothing for a deleted account. */
export async function addCalls(tx: Db, accountId: string, month: string, calls: number): Promise<void> {
  await add(tx, [month, calls, accountId])
}

/** The account's call count in this month. */
export async function callsInMonth(db: Db, accountId: string, month: string): Promise<number> {
  return (await findRow(db, 'monthlyCalls', { accountId, month }))?.calls ?? 0
}

type Row = Schema['modelUsage']

const DAY_MS = 24 * 60 * 60 * 1000

/** Counts a model request at `now` (milliseconds since 1970) for its account. */
export async function addModelUsage(
  db: Db,
  { now, ...used }: Pick<Row, 'accountId' | 'kind' | 'inputTokens' | 'outputTokens'> & { now: number },
): Promise<void> {
  await db
    .insertInto('modelUsage')
    .values({ ...used, day: Math.floor(now / DAY_MS), requests: 1 })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'day', 'kind']).doUpdateSet({
        requests: sql<number>`model_usage.requests + 1`,
        inputTokens: sql<number>`model_usage.input_tokens + excluded.input_tokens`,
        outputTokens: sql<number>`model_usage.output_tokens + excluded.output_tokens`,
      }),
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
