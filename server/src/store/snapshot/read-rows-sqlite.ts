import type { RawBuilder } from 'kysely'
import type { Db } from '#store/db.ts'

/** Reads the rows of a query one by one. */
export async function* readRowsSqlite<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row> {
  for await (const { rows } of db.getExecutor().stream<Row>(query.compile(db), 1)) yield* rows
}
