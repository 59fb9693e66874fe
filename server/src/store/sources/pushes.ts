import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { SourceRow } from './sources.ts'
import { findRow, saveRow, updateRows } from '#store/rows.ts'

export type SourcePushes = Selectable<Schema['sourcePushes']>

export const findPushes = (db: Db, key: { sourceId: string } | { tokenHash: string }) =>
  findRow(db, 'sourcePushes', key)

/** Saves an address, in place of an earlier one of the source. */
export const savePushAddress = (
  tx: Db,
  row: Pick<Insertable<Schema['sourcePushes']>, 'sourceId' | 'tokenHash' | 'sealed'>,
) => saveRow(tx, 'sourcePushes', ['sourceId'], row)

/** Counts a push. */
export const notePush = (tx: Db, sourceId: string, { pushedAt, sender }: { pushedAt: number; sender: string }) =>
  updateRows(tx, 'sourcePushes', { sourceId }, { pushes: sql<number>`pushes + 1`, pushedAt, sender })

/** Called when a reading begins, which will see the pushes so far. */
export const markPushesRead = (tx: Db, sourceId: string) =>
  updateRows(tx, 'sourcePushes', { sourceId }, { pushesRead: sql<number>`pushes` })

/** True if there was a push since the last reading began. */
export async function hasUnreadPush(db: Db, sourceId: string): Promise<boolean> {
  const row = await findPushes(db, { sourceId })
  return row !== undefined && row.pushes > row.pushesRead
}

/** True if there was a push since the source was last read to the end. */
export async function wasPushed(db: Db, { id: sourceId, lastIndexedAt }: Pick<SourceRow, 'id' | 'lastIndexedAt'>) {
  const row = await findPushes(db, { sourceId })
  return (row?.pushedAt ?? 0) > (lastIndexedAt ?? 0)
}
