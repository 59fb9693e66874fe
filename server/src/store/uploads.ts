import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from './db.ts'

/** Notes an upload that is being received. It belongs to no source yet, and is deleted after a while if none comes. */
export async function insertUpload(
  db: Db,
  upload: { id: string; serverId: string; fileName: string; createdAt: number },
): Promise<void> {
  await db
    .insertInto('uploads')
    .values({ ...upload, sourceId: null, bytes: 0 })
    .execute()
}

/** Writes one part of an upload, some 2 MB: on SQLite everything else waits so long. */
export async function insertUploadPart(db: Db, uploadId: string, part: number, data: Uint8Array): Promise<void> {
  await db.insertInto('uploadParts').values({ uploadId, part, data }).execute()
}

/** Makes an upload that was received the one of its source. Returns the ids of those that it replaces. */
export async function adoptUpload(tx: Db, { id, sourceId, bytes }: { id: string; sourceId: string; bytes: number }) {
  const replaced = await tx
    .updateTable('uploads')
    .set({ sourceId: null, createdAt: 0 })
    .where('sourceId', '=', sourceId)
    .returning('id')
    .execute()
  await tx.updateTable('uploads').set({ sourceId, bytes }).where('id', '=', id).execute()
  return replaced.map((row) => row.id)
}

/** The upload that a source consists of, whole; null while none has come, or where it was replaced while it was read. */
export async function readUploadOf(
  db: Db,
  sourceId: string,
): Promise<{ fileName: string; bytes: Uint8Array<ArrayBuffer> } | null> {
  const upload = await db
    .selectFrom('uploads')
    .select(['id', 'fileName', 'bytes'])
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  if (!upload) return null
  const bytes = new Uint8Array(upload.bytes)
  let offset = 0
  for (let part = 0; offset < bytes.byteLength; part++) {
    const row = await db
      .selectFrom('uploadParts')
      .select('data')
      .where('uploadId', '=', upload.id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) return null
    bytes.set(row.data, offset)
    offset += row.data.byteLength
  }
  return { fileName: upload.fileName, bytes }
}

/** Deletes an upload part by part, and lets others have their turn in between. */
export async function deleteUpload(db: Db, id: string): Promise<void> {
  for (;;) {
    const some = db.selectFrom('uploadParts').select('part').where('uploadId', '=', id).limit(1)
    const { numDeletedRows } = await db
      .deleteFrom('uploadParts')
      .where('uploadId', '=', id)
      .where('part', 'in', some)
      .executeTakeFirst()
    if (numDeletedRows === 0n) break
    await nextTurn()
  }
  await db.deleteFrom('uploads').where('id', '=', id).execute()
}

/** Deletes what a source consists of. */
export async function deleteUploadsOf(db: Db, sourceId: string): Promise<void> {
  const uploads = await db.selectFrom('uploads').select('id').where('sourceId', '=', sourceId).execute()
  for (const { id } of uploads) await deleteUpload(db, id)
}

/** Deletes uploads that were begun before a moment and broke off, and those that were replaced by a node that died. */
export async function deleteUnfinished(db: Db, before: number): Promise<void> {
  const query = db.selectFrom('uploads').select('id').where('sourceId', 'is', null).where('createdAt', '<', before)
  for (const { id } of await query.execute()) await deleteUpload(db, id)
}
