import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { VERSION } from '#version.ts'
import type { Store } from '#store/db.ts'

/** First word of the name that each process gives its connections. */
const APPLICATION = 'docent'

/** PostgreSQL cuts longer names (NAMEDATALEN - 1). */
const MAX_LENGTH = 63

/** A process of Docent, parsed from the name of its connection. */
type NamedProcess = { id: string; role: string; version: string; host: string }

/** A new name for a process: an id, its role, its version and its machine. PostgreSQL allows ASCII only. */
export function nameProcess(role: string): string {
  const id = randomBytes(4).toString('hex')
  const host = hostname().replaceAll(/[^\w.-]/g, '-')
  return `${APPLICATION} ${id} ${role} ${VERSION} ${host}`.slice(0, MAX_LENGTH)
}

/** Reads a name. Null for the name of another program. */
export function readProcessName(name: string): NamedProcess | null {
  const [application, id, role, version, host = ''] = name.split(' ')
  return application === APPLICATION && id && role && version ? { id, role, version, host } : null
}

/** True if another process of Docent is connected to this PostgreSQL database. On SQLite the data folder has a lock. */
export async function hasOtherConnections(store: Store): Promise<boolean> {
  if (store.engine === 'sqlite') return false
  const { rows } = await sql<{ name: string }>`select application_name as name from pg_stat_activity
    where datname = current_database() and application_name like ${`${APPLICATION} %`}
      and application_name != current_setting('application_name') limit 1`.execute(store.read)
  return rows.length > 0
}

/** Number of nodes connected to this PostgreSQL database, without commands. */
export const RUNNING_NODES = sql<number>`(
  select count(distinct application_name) from pg_stat_activity
  where datname = current_database() and application_name like ${`${APPLICATION} %`}
    and split_part(application_name, ' ', 3) <> 'command')`

export type Node = NamedProcess & { since: number }

/** The nodes connected to this PostgreSQL database without commands, oldest first. None on SQLite: one process. */
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
