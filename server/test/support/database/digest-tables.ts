import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Store } from '#store/db.ts'

/** The moment up to which calls are counted by page. It moves on by the minute. */
const CLOCKED = 'call_folds'

/**
 * Hashes each table, to compare two moments. Leaves out what changes without requests, and when keys were last used.
 */
export async function digestTables({ read }: Store): Promise<Record<string, string>> {
  const tables = await read.introspection.getTables()
  const digests: Record<string, string> = {}
  for (const { name, isView } of tables) {
    if (isView || name === CLOCKED) continue
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read)
    const lines = rows.map((row) => JSON.stringify(row, comparable)).toSorted()
    digests[name] = `${rows.length} ${createHash('sha256').update(lines.join('\n')).digest('hex')}`
  }
  return digests
}

function comparable(column: string, value: unknown): unknown {
  if (column === 'lastUsedAt') return undefined
  return value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value
}
