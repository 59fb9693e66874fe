import type { Compilable, CompiledQuery, InsertQueryBuilder, InsertResult, Insertable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { runsOnPostgres } from '#store/rows.ts'

/** Compiled queries of a database, by the function that sends them. Its adapter holds them: transactions share it. */
const COMPILED = Symbol('compiled queries')
/** Begins queries that PostgreSQL plans once per connection. It takes a millisecond and more to plan a join. */
export const PLANNED_ONCE = '/* planned once */ '

/**
 * A query compiled once per database. `build` gets placeholders and must use each once, in order. With `isPlannedOnce`,
 * it is for a query that runs very often, outside transactions.
 */
export function prepared<Params extends readonly unknown[], Row>(
  placeholders: readonly [...Params],
  build: (db: Db, params: readonly [...Params]) => Compilable<Row>,
  isPlannedOnce = false,
): (db: Db, params: readonly [...Params]) => Promise<Row[]> {
  const name = Symbol('query')
  return async (db, params) => {
    const holder = db.getExecutor().adapter as { [COMPILED]?: Map<symbol, CompiledQuery> }
    const compiled = (holder[COMPILED] ??= new Map<symbol, CompiledQuery>())
    let query = compiled.get(name)
    if (!query) {
      const built = build(db, placeholders).compile()
      query = isPlannedOnce ? { ...built, sql: PLANNED_ONCE + built.sql } : built
      // SQLite would run a query with too few values and treat the missing ones as null.
      if (query.parameters.length !== placeholders.length)
        throw new Error(`Not every value is a placeholder: ${query.sql}`)
      compiled.set(name, query)
    }
    const { rows } = await db.executeQuery<Row>({ ...query, parameters: params })
    return rows
  }
}

/** A prepared query for one row. Its parameters are given one by one. */
export function preparedRow<Params extends readonly unknown[], Row>(
  ...query: Parameters<typeof prepared<Params, Row>>
): (db: Db, ...params: Params) => Promise<Row | undefined> {
  const find = prepared(...query)
  return async (db, ...params) => (await find(db, params))[0]
}

/** Values per statement. With few sizes, each is compiled once. Shorter lists are padded with a repeated value. */
const LIST_SIZES = [1, 2, 4, 8, 16, 64]

/** A query with `in`, compiled once per size of the list, in parts of up to `most`. A `key` comes first. */
export function preparedList<Row>(
  { most, hasKey = false }: { most: number; hasKey?: boolean },
  build: (db: Db, values: string[], key: string) => Compilable<Row>,
): (db: Db, values: readonly string[], key?: string) => Promise<Row[]> {
  const statements = LIST_SIZES.filter((size) => size <= most).map((size) => ({
    size,
    find: prepared(Array<string>(size + (hasKey ? 1 : 0)).fill(''), (db, given) =>
      hasKey ? build(db, given.slice(1), given[0] ?? '') : build(db, [...given], ''),
    ),
  }))
  return async (db, values, key = '') => {
    const rows: Row[] = []
    for (let from = 0; from < values.length; from += most) {
      const part = values.slice(from, from + most)
      const statement = statements.find(({ size }) => size >= part.length)
      if (statement === undefined) throw new Error(`No statement takes ${part.length} values.`)
      const padded = Array.from({ length: statement.size }, (_, at) => part[at] ?? part[0] ?? '')
      rows.push(...(await statement.find(db, hasKey ? [key, ...padded] : padded)))
    }
    return rows
  }
}

/** Rows per statement. Building one per row count took longer than the insertion itself. */
const SIZES = [64, 16, 4, 1]

type Insert<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>

/** Inserts rows with exactly these columns. `settle` is the conflict clause. A key may occur only once per call. */
export function insertMany<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]> & string>(
  table: Table,
  columns: readonly Column[],
  settle: (insert: Insert<Table>) => Insert<Table> = (insert) => insert,
): (tx: Db, rows: readonly Pick<Insertable<Schema[Table]>, Column>[]) => Promise<void> {
  const statements = SIZES.map((size) => ({
    size,
    insert: prepared(Array<unknown>(columns.length * size).fill(''), (db, values) => {
      const rows = Array.from({ length: size }, (_, row) =>
        Object.fromEntries(columns.map((column, at) => [column, values[row * columns.length + at]])),
      )
      return settle(db.insertInto(table).values(rows as Insertable<Schema[Table]>[]))
    }),
  }))
  return async (tx, rows) => {
    let from = 0
    for (const { size, insert } of statements) {
      for (; from + size <= rows.length; from += size) {
        const values: unknown[] = []
        for (const row of rows.slice(from, from + size)) for (const column of columns) values.push(row[column])
        await insert(tx, values)
      }
    }
  }
}

/** The ids that still exist in the table. With `locked`, nobody deletes them until this transaction ends. */
export function presentIds(table: 'servers' | 'sources' | 'calls', mode: 'read' | 'locked' = 'read') {
  const find = preparedList({ most: 64 }, (db, ids) => {
    const found = db.selectFrom(table).select('id').where('id', 'in', ids)
    // In a fixed order, so that concurrent transactions wait for each other instead of deadlocking.
    return mode === 'locked' && runsOnPostgres(db) ? found.orderBy('id').forKeyShare() : found
  })
  return async (tx: Db, ids: ReadonlySet<string>) => new Set((await find(tx, [...ids])).map(({ id }) => id))
}
