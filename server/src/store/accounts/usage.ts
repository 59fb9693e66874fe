import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { below, deleteRows, findRow, sumsOf } from '#store/rows.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

const count = preparedRow(['', '', 0, 0, 0], (db, [accountId, month, anonymousCalls, limit, anonymousLimit]) =>
  db
    .insertInto('monthlyCalls')
    .values({ accountId, month, calls: sql.lit(1), anonymousCalls })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'month'])
        .doUpdateSet(sumsOf('monthlyCalls', 'calls', 'anonymousCalls'))
        .where('monthlyCalls.calls', '<', limit)
        .where('monthlyCalls.anonymousCalls', '<', anonymousLimit),
    )
    .returning('calls'),
)

/** `share`: the calls of anonymous callers among the `limit`, for a call of one. It is not 0. */
type Counted = { accountId: string; month: string; limit: number; share?: number | undefined }

/** Counts one call in this month, in one statement, exact across nodes. Null if the account has `limit` already. */
export async function countCall(db: Db, { accountId, month, limit, share }: Counted): Promise<number | null> {
  // Anonymous calls are never more than all.
  return (await count(db, accountId, month, share === undefined ? 0 : 1, limit, share ?? limit))?.calls ?? null
}

type Counter = { network: string; limit: number }
/** Adds a call to each counter of the day that is not full. Returns the first full one, or null. */
export async function countAnonymousCalls(
  tx: Db,
  { accountId, day, counters }: { accountId: string; day: number; counters: readonly Counter[] },
): Promise<Counter | null> {
  const limitOf = sql.join(
    counters.map(({ network, limit }) => sql`when ${network} then cast(${limit} as bigint)`),
    sql` `,
  )
  const counted = await tx
    .insertInto('anonymousCalls')
    .values(counters.map(({ network }) => ({ accountId, day, network, calls: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'day', 'network'])
        .doUpdateSet(sumsOf('anonymousCalls', 'calls'))
        .where('anonymousCalls.calls', '<', sql<number>`case anonymous_calls.network ${limitOf} end`),
    )
    .returning('network')
    .execute()
  return counters.find((counter) => !counted.some(({ network }) => network === counter.network)) ?? null
}

/** Anonymous calls of the account in this month, and on the day of `now` as far as a limit counts them. */
export async function readAnonymousCalls(db: Db, accountId: string, { month, now }: { month: string; now: number }) {
  const ofMonth = await findRow(db, 'monthlyCalls', { accountId, month })
  const ofDay = await findRow(db, 'anonymousCalls', { accountId, day: Math.floor(now / DAY_MS), network: '' })
  return { month: ofMonth?.anonymousCalls ?? 0, today: ofDay?.calls ?? 0 }
}

export const deleteOldAnonymousCalls = (db: Db, now: number) =>
  deleteRows(db, 'anonymousCalls', { day: below(Math.floor(now / DAY_MS)) })

/** Adds calls of an account without a limit. Does nothing for a deleted account. */
export const addCalls = (tx: Db, accountId: string, month: string, calls: number) =>
  sql`insert into monthly_calls (account_id, month, calls)
    select id, ${month}, cast(${calls} as bigint) from accounts where id = ${accountId}
    on conflict (account_id, month) do update set calls = monthly_calls.calls + excluded.calls`.execute(tx)

export async function callsInMonth(db: Db, accountId: string, month: string): Promise<number> {
  return (await findRow(db, 'monthlyCalls', { accountId, month }))?.calls ?? 0
}

type Row = Schema['modelUsage']

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

/** Tokens of prompts and completions that the account used on the day of `now`. */
export async function tokensOfDay(db: Db, accountId: string, kind: Row['kind'], now: number): Promise<number> {
  const row = await findRow(db, 'modelUsage', { accountId, day: Math.floor(now / DAY_MS), kind })
  return row ? row.inputTokens + row.outputTokens : 0
}
