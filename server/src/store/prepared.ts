import type { CompiledQuery, Compilable } from 'kysely'
import type { Db } from './db.ts'

/**
 * A query that is compiled once for each database handle, for paths that run at every request. `build` gets
 * placeholders and must use each of them once, in order; building a query anew costs more than running it.
 */
export function prepared<Params extends readonly unknown[], Row>(
  placeholders: readonly [...Params],
  build: (db: Db, params: readonly [...Params]) => Compilable<Row>,
): (db: Db, params: readonly [...Params]) => Promise<Row[]> {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db, params) => {
    let query = compiled.get(db)
    if (!query) {
      query = build(db, placeholders).compile()
      // SQLite would run a query with too few values, and take the missing ones for null.
      if (query.parameters.length !== placeholders.length)
        throw new Error(`Not every value is a placeholder: ${query.sql}`)
      compiled.set(db, query)
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: params })
    return rows
  }
}
