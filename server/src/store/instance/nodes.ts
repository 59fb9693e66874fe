import { sql } from 'kysely'
import type { Store } from '#store/db.ts'
import { type NamedProcess, readProcessName } from '#store/engine/process-name.ts'

export type Node = NamedProcess & { since: number }

/**
 * The nodes that are connected to this PostgreSQL database, the oldest first. None on SQLite, which has one process.
 * Processes of commands are left out.
 */
export async function listNodes(store: Store): Promise<Node[]> {
  if (store.engine === 'sqlite') return []
  const { rows } = await sql<{ name: string; since: number }>`
    select application_name as name, floor(extract(epoch from min(backend_start)) * 1000)::bigint as since
    from pg_stat_activity
    where datname = current_database() and usename = current_user
    group by application_name
    order by since, name`.execute(store.read)
  return rows.flatMap(({ name, since }) => {
    const named = readProcessName(name)
    return named && named.role !== 'command' ? [{ ...named, since }] : []
  })
}
