import type { Db } from '#store/db.ts'

/** Stores a link, and forgets those that were created before `oldest`. */
export async function insertSetupLink(db: Db, link: { hash: string; createdAt: number }, oldest: number) {
  await db.deleteFrom('setupLinks').where('createdAt', '<', oldest).execute()
  await db.insertInto('setupLinks').values(link).execute()
}

export async function findSetupLink(db: Db, hash: string, oldest: number): Promise<{ hash: string } | undefined> {
  return db
    .selectFrom('setupLinks')
    .select('hash')
    .where('hash', '=', hash)
    .where('createdAt', '>=', oldest)
    .executeTakeFirst()
}

/**
 * Deletes all links. Returns the hashes of those that existed: of two transactions that use links, one waits for the
 * other and then gets none.
 */
export async function takeSetupLinks(tx: Db): Promise<string[]> {
  const taken = await tx.deleteFrom('setupLinks').returning('hash').execute()
  return taken.map(({ hash }) => hash)
}
