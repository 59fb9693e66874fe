import type { CompiledQuery, Compilable } from 'kysely'
import type { Db } from '#store/db.ts'

/**
 * A query compiled once per database, including its transactions, for paths that run on every request. `build` gets
 * placeholders and must use each once, in order. Building a query costs more than running it.
 */
export function prepared<Params extends readonly unknown[], Row>(
  placeholders: readonly [...Params],
  build: (db: Db, params: readonly [...Params]) => Compilable<Row>,
): (db: Db, params: readonly [...Params]) => Promise<Row[]> {
  // A transaction is a separate handle, but shares the adapter of its database.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, params) => {
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, placeholders).compile()
      // SQLite would run a query with too few values and treat the missing ones as null.
      if (query.parameters.length !== placeholders.length)
        throw new Error(`Not every value is a placeholder: ${query.sql}`)
      compiled.set(adapter, query)
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: params })
    return rows
  }
}
