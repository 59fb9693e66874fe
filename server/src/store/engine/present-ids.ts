import type { Db } from '#store/db.ts'
import { prepared } from './prepared.ts'
import { runsOnPostgres } from './engine-of.ts'

/** Ids per statement. With few sizes, every statement is compiled once. A larger one is padded with a repeated id. */
const SIZES = [1, 4, 16, 64]
const MOST = 64

/**
 * The subset of these ids that still exist in the table. With `locked`, other transactions cannot delete them until this
 * one ends. SQLite has one writer at a time anyway.
 */
export function presentIds(
  table: 'servers' | 'sources' | 'calls',
  mode: 'read' | 'locked' = 'read',
): (tx: Db, ids: ReadonlySet<string>) => Promise<Set<string>> {
  const statements = SIZES.map((size) => ({ size, find: preparedFind({ table, mode }, size) }))
  return async (tx, ids) => {
    const asked = [...ids]
    const present = new Set<string>()
    for (let from = 0; from < asked.length; from += MOST) {
      const part = asked.slice(from, from + MOST)
      const { size, find } = statements.find((statement) => statement.size >= part.length) ?? {}
      if (size === undefined || find === undefined) throw new Error(`No statement asks for ${part.length} ids.`)
      const padded = Array.from({ length: size }, (_, at) => part[at] ?? part[0] ?? '')
      for (const { id } of await find(tx, padded)) present.add(id)
    }
    return present
  }
}

type Asked = { table: 'servers' | 'sources' | 'calls'; mode: 'read' | 'locked' }

function preparedFind({ table, mode }: Asked, size: number) {
  const placeholders: string[] = Array.from({ length: size }, () => '')
  return prepared(placeholders, (db, ids) => {
    const found = db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', [...ids])
    // In a fixed order, so that concurrent transactions wait for each other instead of deadlocking.
    return mode === 'locked' && runsOnPostgres(db) ? found.orderBy('id').forKeyShare() : found
  })
}
