import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

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
  const row = await db
    .selectFrom('sources')
    .innerJoin('servers', 'servers.id', 'sources.serverId')
    .select('servers.accountId')
    .where('sources.id', '=', sourceId)
    .executeTakeFirst()
  return row?.accountId
}

/** Tokens of prompts and completions that the account used on the day of `now`. */
export async function tokensOfDay(db: Db, accountId: string, kind: Row['kind'], now: number): Promise<number> {
  const row = await db
    .selectFrom('modelUsage')
    .select(['inputTokens', 'outputTokens'])
    .where('accountId', '=', accountId)
    .where('day', '=', Math.floor(now / DAY_MS))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row ? row.inputTokens + row.outputTokens : 0
}
