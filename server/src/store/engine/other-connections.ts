import { sql } from 'kysely'
import type { Store } from '#store/db.ts'
import { APPLICATION } from './process-name.ts'

/** True if another process of Docent is connected to this PostgreSQL database. On SQLite the data folder has a lock. */
export async function hasOtherConnections(store: Store): Promise<boolean> {
  if (store.engine === 'sqlite') return false
  const { rows } = await sql<{ name: string }>`select application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${APPLICATION} %`}
      and application_name != current_setting('application_name') limit 1`.execute(store.read)
  return rows.length > 0
}
