import { sql } from 'kysely'
import type { Account } from '#store/accounts/accounts.ts'
import { defined } from '#lib/objects.ts'
import type { Db, Store } from '#store/db.ts'
import { liveSources } from '#store/sources/sources.ts'
import { type ListPart, containsText, countRows, hasRow } from '#store/rows.ts'

export type ReportedAccount = Omit<Account, 'name' | 'callerLimits' | 'asksApproval'> & {
  servers: number
  requests: number
}

/** Accounts to look for: by a part of the address, or one by its id. `month` is that of `requests`. */
type Wanted = { email?: string | undefined; id?: string; month: string }

/** The newest accounts first. */
export const listReportedAccounts = (db: Db, { month, ...wanted }: Wanted, part: ListPart) =>
  matching(db, wanted)
    .select(['id', 'email', 'plan', 'isOperator', 'trialEndsAt', 'disabledAt', 'createdAt'])
    .select([
      sql<number>`(select count(*) from servers where account_id = accounts.id and deleted_at is null)`.as('servers'),
      sql<number>`coalesce((select calls from monthly_calls where account_id = accounts.id and month = ${month}), 0)`.as(
        'requests',
      ),
    ])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

export const countReportedAccounts = (db: Db, wanted: Omit<Wanted, 'month'>) => countRows(matching(db, wanted))

function matching(db: Db, { email, id }: Omit<Wanted, 'month'>) {
  const query = db.selectFrom('accounts').where((is) => is.and(defined({ id })))
  return email === undefined ? query : query.where(containsText(db, ['email'], email))
}

/** Version and size of the database, with the duration of one read. */
export async function readDatabaseFacts({ engine, read }: Store) {
  const begun = performance.now()
  await sql`select 1`.execute(read)
  const answerMs = Math.round((performance.now() - begun) * 10) / 10
  const query =
    engine === 'sqlite'
      ? sql<{ version: string; bytes: number }>`select sqlite_version() as version,
          (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as bytes`
      : sql<{ version: string; bytes: number }>`select current_setting('server_version') as version,
          pg_database_size(current_database()) as bytes`
  const { rows } = await query.execute(read)
  return { version: rows[0]?.version ?? '', bytes: rows[0]?.bytes ?? 0, answerMs }
}

/** Everything on the instance, in numbers. */
export async function readStorage(db: Db) {
  const sumOf = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column)
  const [accounts, servers, sources, content, segments, uploads] = await Promise.all([
    countRows(db.selectFrom('accounts')),
    countRows(db.selectFrom('servers').where('deletedAt', 'is', null)),
    countRows(liveSources(db)),
    liveSources(db)
      .select([sumOf('pagesIndexed'), sumOf('textBytes')])
      .executeTakeFirstOrThrow(),
    db.selectFrom('segments').select(sumOf('bytes')).executeTakeFirstOrThrow(),
    db.selectFrom('uploads').select(sumOf('bytes')).executeTakeFirstOrThrow(),
  ])
  return {
    accounts,
    servers,
    sources,
    pages: content['pagesIndexed'] ?? 0,
    textCharacters: content['textBytes'] ?? 0,
    indexBytes: segments['bytes'] ?? 0,
    uploadBytes: uploads['bytes'] ?? 0,
  }
}

/** Reads a row. Throws if the database does not answer or has no tables. */
export const readAnything = (db: Db) => hasRow(db, 'accounts', {})
