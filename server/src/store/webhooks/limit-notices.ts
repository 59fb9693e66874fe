import type { Db } from '#store/db.ts'

/** Notes that a limit was announced in a period. False if it was before: of concurrent callers, one gets true. */
export async function insertLimitNotice(
  tx: Db,
  notice: { accountId: string; subject: string; period: string; createdAt: number },
): Promise<boolean> {
  const added = await tx
    .insertInto('limitNotices')
    .values(notice)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst()
  return added !== undefined
}

/** Deletes notices of periods that are over. */
export async function deleteOldNotices(db: Db, time: number): Promise<void> {
  await db.deleteFrom('limitNotices').where('createdAt', '<', time).execute()
}
