import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Store } from '#store/db.ts'
import { joinParts, savePart } from '#store/engine/blobs/parts.ts'
import type { Bytes } from '#store/engine/blobs/blobs.ts'
import type { Schema } from '#store/schema.ts'
import { below, deleteRows, deleteSomeRows, findRow, insertRow, isOneOf, listRows, updateRows } from '#store/rows.ts'

/** Records an upload in progress. It belongs to no source yet, and is deleted after a while if none adopts it. */
export const insertUpload = (db: Db, upload: Omit<Schema['uploads'], 'sourceId' | 'bytes' | 'version'>) =>
  insertRow(db, 'uploads', { ...upload, sourceId: null, bytes: 0 })

/** Writes one part of an upload, about 2 MB: on SQLite this blocks everything else. */
export const insertUploadPart = (
  { write, blobs }: Pick<Store, 'write' | 'blobs'>,
  { id: uploadId, accountId, part }: { id: string; accountId: string; part: number },
  data: Uint8Array,
) =>
  savePart(
    blobs,
    data,
    async () => [accountId, uploadId],
    (bytes) => insertRow(write, 'uploadParts', { uploadId, part, ...bytes }),
  )

type Version = { sourceId: string; version: string }

/** Assigns a received upload to a version of its source. Returns the ids of replaced uploads. */
export async function adoptUpload(tx: Db, { id, bytes, ...of }: Version & { id: string; bytes: number }) {
  const replaced = await releaseUploads(tx, of.sourceId, (version) => version === of.version)
  await updateRows(tx, 'uploads', { id }, { ...of, bytes })
  return replaced
}

/** Takes uploads of some versions from a source. They are deleted later. Returns their ids. */
export async function releaseUploads(tx: Db, sourceId: string, isGone: (version: string) => boolean) {
  const gone = (await listRows(tx, 'uploads', { sourceId }, ['createdAt'])).filter(({ version }) => isGone(version))
  const ids = gone.map(({ id }) => id)
  if (ids.length > 0) await updateRows(tx, 'uploads', { id: isOneOf(ids) }, { sourceId: null, createdAt: 0 })
  return ids
}

/** The whole upload of a version. Null if none has arrived, or if it was replaced while being read. */
export async function readUploadOf({ read, blobs }: Bytes, of: Version) {
  const upload = await findRow(read, 'uploads', of)
  if (!upload) return null
  const { id: uploadId, fileName, bytes: size } = upload
  const bytes = await joinParts(blobs, new Uint8Array(size), (part) => findRow(read, 'uploadParts', { uploadId, part }))
  return bytes && { fileName, bytes }
}

/** Deletes an upload part by part, and lets other work run in between. */
export async function deleteUpload(db: Db, id: string): Promise<void> {
  while ((await deleteSomeRows(db, 'uploadParts', { uploadId: id }, ['part', 1])) > 0) await nextTurn()
  await deleteRows(db, 'uploads', { id })
}

export async function deleteUploadsOf(db: Db, sourceId: string): Promise<void> {
  for (const { id } of await listRows(db, 'uploads', { sourceId }, ['createdAt'])) await deleteUpload(db, id)
}

/** Deletes incomplete uploads that began before a given time, and replaced uploads left by a dead node. */
export async function deleteUnfinished(db: Db, before: number): Promise<void> {
  const unfinished = await listRows(db, 'uploads', { sourceId: null, createdAt: below(before) }, ['createdAt'])
  for (const { id } of unfinished) await deleteUpload(db, id)
}
