import type { Db } from '#store/db.ts'

/** Reads a row. Throws if the database does not answer or has no tables. */
export async function readAnything(db: Db): Promise<void> {
  await db.selectFrom('accounts').select('id').limit(1).execute()
}
