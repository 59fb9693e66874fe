import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

export type ReportedAccount = {
  id: string
  email: string
  plan: string
  isOperator: number
  trialEndsAt: number | null
  createdAt: number
  servers: number
  requests: number
}

/** Accounts to look for: by a part of the address, or one by its id. `month` is that of `requests`. */
type Wanted = { email?: string | undefined; id?: string; month: string }

/** The newest accounts first, at most `limit` after the first `offset`. */
export async function listReportedAccounts(
  db: Db,
  { month, ...wanted }: Wanted,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReportedAccount[]> {
  return matching(db, wanted)
    .select(['id', 'email', 'plan', 'isOperator', 'trialEndsAt', 'createdAt'])
    .select([
      sql<number>`(select count(*) from servers where account_id = accounts.id and deleted_at is null)`.as('servers'),
      sql<number>`coalesce((select calls from monthly_calls where account_id = accounts.id and month = ${month}), 0)`.as(
        'requests',
      ),
    ])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countReportedAccounts(db: Db, wanted: Omit<Wanted, 'month'>): Promise<number> {
  const { count } = await matching(db, wanted)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function matching(db: Db, { email, id }: Omit<Wanted, 'month'>) {
  let query = db.selectFrom('accounts')
  if (id !== undefined) query = query.where('id', '=', id)
  if (email === undefined) return query
  // Addresses are stored in lower case.
  const pattern = `%${email.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return query.where(sql<boolean>`email like ${pattern} escape '\\'`)
}
