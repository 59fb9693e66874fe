import type { DeleteResult, UpdateResult } from 'kysely'

type Executable<Result> = { executeTakeFirst: () => Promise<Result> }

/** Runs the update. True if a row met its conditions. */
export async function updatesRow(query: Executable<UpdateResult>): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Runs the deletion. The number of rows that met its conditions. */
export async function deletedRows(query: Executable<DeleteResult>): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Runs the deletion. True if a row met its conditions. */
export async function deletesRow(query: Executable<DeleteResult>): Promise<boolean> {
  return (await deletedRows(query)) > 0
}
