import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { countRows, deleteRows, findRow, insertRow, listRows, updateRows } from '#store/rows.ts'

export type PinRow = Selectable<Schema['pins']>

/** Call `lockServer` first, so that the limit holds. */
export async function insertPin(tx: Db, pin: PinRow): Promise<void> {
  await insertRow(tx, 'pins', pin)
  await countChange(tx, pin.serverId)
}

/** Makes the next call of every node read the pins again. */
async function countChange(tx: Db, id: string): Promise<void> {
  await updateRows(tx, 'servers', { id }, { pins: sql<number>`pins + 1` })
}

/** Oldest first. */
export const listPinRows = (db: Db, serverId: string) => listRows(db, 'pins', { serverId }, ['createdAt'])

export const countPins = (db: Db, serverId: string) => countRows(db.selectFrom('pins').where('serverId', '=', serverId))

/** Finds a pin of a server that the caller has found for its account. */
export const findPin = (db: Db, serverId: string, id: string) => findRow(db, 'pins', { id, serverId })

/** False if it was deleted meanwhile. */
export async function deletePinRow(tx: Db, { id, serverId }: Pick<PinRow, 'id' | 'serverId'>): Promise<boolean> {
  const deleted = await deleteRows(tx, 'pins', { id, serverId })
  await countChange(tx, serverId)
  return deleted > 0
}
