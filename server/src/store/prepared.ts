import type { CompiledQuery, Compilable } from 'kysely'
import type { Db } from './db.ts'

/**
 * A query that is compiled once for each database, its transactions included, for paths that run at every request.
 * `build` gets placeholders and must use each of them once, in order; building a query anew costs more than running it.
 */
export function prepared<Params extends readonly unknown[], Row>(
  placeholders: readonly [...Params],
  build: (db: Db, params: readonly [...Params]) => Compilable<Row>,
): (db: Db, params: readonly [...Params]) => Promise<Row[]> {
  // A transaction is a handle of its own, but has the adapter of the database that it belongs to.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, params) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, placeholders).compile()
      // SQLite would run a query with too few values, and take the missing ones for null.
      if (query.parameters.length !== placeholders.length)
        throw new Error(`Not every value is a placeholder: ${query.sql}`)
      compiled.set(adapter, query)
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: params })
    return rows
  }
}
