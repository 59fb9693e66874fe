import { sql } from 'kysely'
import type { Store } from '#store/db.ts'

export type DatabaseFacts = { version: string; bytes: number; answerMs: number }

/** Version and size of the database, with the duration of one read. */
export async function readDatabaseFacts({ engine, read }: Store): Promise<DatabaseFacts> {
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
