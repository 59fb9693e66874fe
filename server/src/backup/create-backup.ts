import type { Store } from '#store/db.ts'
import { type Snapshot, readSnapshot } from '#store/snapshot/read-snapshot.ts'
import { createArchive } from './archive.ts'
import {
  type ArchiveWriter,
  BACKUP_FORMAT,
  type Bucket,
  ENTRY,
  type Manifest,
  PART_BYTES,
  compressRows,
  encodeRow,
} from './backup-format.ts'
import { sha256 } from './read-backup.ts'

type Options = {
  /** The file, which must not exist, or an address in the bucket. */
  path: string
  bucket?: Bucket
  createdAt: Date
  version: string
  /** Content of the key file, if the backup should contain it. */
  key: Buffer | null
  signal: AbortSignal
}

/** Writes all data of one moment while the service runs. The backup is listed when it is complete. */
export async function createBackup(store: Store, options: Options): Promise<Manifest> {
  await using archive = await createArchive(options.path, options.bucket ?? null, options.createdAt)
  try {
    return await writeEntries(store, archive, options)
  } catch (error) {
    // A bucket that is away keeps them. The next backup deletes them after a day.
    await archive.discard().catch(() => {})
    throw error
  }
}

async function writeEntries(store: Store, archive: ArchiveWriter, options: Options): Promise<Manifest> {
  const { createdAt, version, key, signal } = options
  const { schema, tables, parts } = await readSnapshot(store, (snapshot) => writeTables(archive, snapshot, signal))
  if (key) await archive.add(ENTRY.key, key)
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
  await archive.add(ENTRY.manifest, text)
  await archive.add(ENTRY.checksum, Buffer.from(sha256(text)))
  await archive.finish()
  return manifest
}

async function writeTables(archive: ArchiveWriter, snapshot: Snapshot, signal: AbortSignal) {
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
      await archive.add(path, data)
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
