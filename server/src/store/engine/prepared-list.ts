import type { Compilable } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from './prepared.ts'

/** Values per statement. With few sizes, every statement is compiled once. Shorter lists are padded with a repeated value. */
const SIZES = [1, 2, 4, 8, 16, 64]

type Build<Row> = (db: Db, values: string[], key: string) => Compilable<Row>

/**
 * A query for a list of values, with `in`, compiled once per size of the list. Longer lists take several queries of up
 * to `most` values. `build` must use each value once, and `key` once before or after them if it has one.
 */
export function preparedList<Row>(
  { most, hasKey = false }: { most: number; hasKey?: boolean },
  build: Build<Row>,
): (db: Db, values: readonly string[], key?: string) => Promise<Row[]> {
  const statements = SIZES.filter((size) => size <= most).map((size) => ({
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
