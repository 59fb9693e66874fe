import type { Db } from '#store/db.ts'
import { runsOnPostgres } from './engine-of.ts'
import { preparedList } from './prepared-list.ts'

/**
 * The subset of these ids that still exist in the table. With `locked`, other transactions cannot delete them until this
 * one ends. SQLite has one writer at a time anyway.
 */
export function presentIds(
  table: 'servers' | 'sources' | 'calls',
  mode: 'read' | 'locked' = 'read',
): (tx: Db, ids: ReadonlySet<string>) => Promise<Set<string>> {
  const find = preparedList({ most: 64 }, (db, ids) => {
    const found = db.selectFrom(table).select('id').where('id', 'in', ids)
    // In a fixed order, so that concurrent transactions wait for each other instead of deadlocking.
    return mode === 'locked' && runsOnPostgres(db) ? found.orderBy('id').forKeyShare() : found
  })
  return async (tx, ids) => new Set((await find(tx, [...ids])).map(({ id }) => id))
}
