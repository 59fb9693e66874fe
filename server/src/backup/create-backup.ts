import { rename, rm } from 'node:fs/promises'
import type { Store } from '#store/db.ts'
import { type Snapshot, readSnapshot } from '#store/snapshot/read-snapshot.ts'
import { unfinishedPath } from './list-backups.ts'
import { BACKUP_FORMAT, ENTRY, type Manifest, PART_BYTES, compressRows, encodeRow } from './backup-format.ts'
import { type TarWriter, createTar } from './tar-file.ts'
import { sha256 } from './read-backup.ts'

type Options = {
  /** The file, which must not exist. */
  path: string
  createdAt: Date
  version: string
  /** Content of the key file, if the backup should contain it. */
  key: Buffer | null
  signal: AbortSignal
}

/** Writes all data of one moment to a file while the service runs. The file gets its name when it is on disk. */
export async function createBackup(store: Store, options: Options): Promise<Manifest> {
  const unfinished = unfinishedPath(options.path)
  try {
    const manifest = await writeTar(store, unfinished, options)
    await rename(unfinished, options.path)
    return manifest
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

async function writeTar(store: Store, path: string, { createdAt, version, key, signal }: Options): Promise<Manifest> {
  await using tar = await createTar(path, createdAt)
  const { schema, tables, parts } = await readSnapshot(store, (snapshot) => writeTables(tar, snapshot, signal))
  if (key) await tar.add(ENTRY.key, key)
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    docent: version,
    engine: store.engine,
    schema,
    createdAt: createdAt.toISOString(),
    hasKey: key !== null,
    tables,
    parts,
  }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  await tar.add(ENTRY.manifest, text)
  await tar.add(ENTRY.checksum, Buffer.from(sha256(text)))
  await tar.finish()
  return manifest
}

async function writeTables(tar: TarWriter, snapshot: Snapshot, signal: AbortSignal) {
  const written: Pick<Manifest, 'schema' | 'tables' | 'parts'> = { schema: snapshot.schema, tables: [], parts: [] }
  for (const { name, columns, rows } of snapshot.tables) {
    let waiting: Buffer[] = []
    let bytes = 0
    let count = 0
    let number = 0
    const flush = async () => {
      if (waiting.length === 0) return
      signal.throwIfAborted()
      const data = await compressRows(waiting)
      const path = `tables/${name}/${String(++number).padStart(6, '0')}.gz`
      await tar.add(path, data)
      written.parts.push({ path, table: name, rows: waiting.length, bytes: data.byteLength, sha256: sha256(data) })
      waiting = []
      bytes = 0
    }
    for await (const row of rows) {
      const encoded = encodeRow(row)
      waiting.push(encoded)
      bytes += encoded.byteLength
      count++
      if (bytes >= PART_BYTES) await flush()
    }
    await flush()
    written.tables.push({ name, columns: [...columns], rows: count })
  }
  return written
}
