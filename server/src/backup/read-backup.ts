import { hash } from 'node:crypto'
import type { Store } from '#store/db.ts'
import { type Batch, loadSnapshot } from '#store/snapshot/load-snapshot.ts'
import { openArchive } from './archive.ts'
import { type Bucket, DamagedBackupError, ENTRY, type Manifest, manifestSchema, decodeRows } from './backup-format.ts'

export const sha256 = (data: Uint8Array): string => hash('sha256', data)

/** Where a backup can be besides on the disk, and what stops its reading. */
type Reading = { bucket?: Bucket; signal?: AbortSignal }

/** Compares every part of a backup with its checksum. Throws `DamagedBackupError` and errors of file and signal. */
export async function verifyBackup(path: string, { bucket = null, signal }: Reading = {}): Promise<Manifest> {
  await using archive = await openArchive(path, bucket)
  const found: { path: string; bytes: number; sha256: string }[] = []
  let manifest: Buffer | null = null
  let checksum: string | null = null
  let hasKey = false
  for await (const entry of archive.entries()) {
    signal?.throwIfAborted()
    const data = await entry.read()
    if (entry.path === ENTRY.manifest) manifest = data
    else if (entry.path === ENTRY.checksum) checksum = data.toString()
    else if (entry.path === ENTRY.key) hasKey = true
    else found.push({ path: entry.path, bytes: data.byteLength, sha256: sha256(data) })
  }
  if (manifest === null || checksum === null) throw new DamagedBackupError('it has no table of contents')
  if (sha256(manifest) !== checksum) throw new DamagedBackupError('its table of contents was changed')
  const contents = readManifest(manifest)
  for (const [at, part] of contents.parts.entries()) {
    const other = found[at]
    if (other?.path !== part.path) throw new DamagedBackupError(`${part.path} is missing`)
    if (other.bytes !== part.bytes || other.sha256 !== part.sha256)
      throw new DamagedBackupError(`${part.path} was changed`)
  }
  if (found.length !== contents.parts.length || hasKey !== contents.hasKey)
    throw new DamagedBackupError('it has other entries than its table of contents')
  return contents
}

function readManifest(data: Buffer): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(data.toString()))
  if (parsed.success) return parsed.data
  throw new DamagedBackupError('another version of Docent wrote its table of contents', { cause: parsed.error })
}

/** Verifies a backup. A damaged one has no manifest, but a problem. */
export async function inspectBackup(
  path: string,
  reading: Reading = {},
): Promise<{ manifest: Manifest; problem: null } | { manifest: null; problem: string }> {
  try {
    return { manifest: await verifyBackup(path, reading), problem: null }
  } catch (error) {
    if (!(error instanceof DamagedBackupError)) throw error
    return { manifest: null, problem: error.message }
  }
}

/** Replaces the data of a database by those of a verified backup, of either engine, and migrates them. */
export async function loadBackup(
  store: Store,
  { path, bucket = null, manifest, signal }: { path: string; bucket?: Bucket; manifest: Manifest; signal: AbortSignal },
): Promise<void> {
  await using archive = await openArchive(path, bucket)
  const columns = new Map(manifest.tables.map((table) => [table.name, table.columns]))
  const parts = new Map(manifest.parts.map((part) => [part.path, part]))
  const batches = async function* (): AsyncGenerator<Batch> {
    for await (const entry of archive.entries()) {
      const part = parts.get(entry.path)
      if (!part) continue
      const data = await entry.read()
      // The file can have changed since it was verified.
      if (sha256(data) !== part.sha256) throw new DamagedBackupError(`${part.path} was changed`)
      signal.throwIfAborted()
      const { table } = part
      const names = columns.get(table) ?? []
      const rows = await decodeRows(data, names.length)
      if (rows.length !== part.rows) throw new DamagedBackupError(`a part of ${table} has another number of rows`)
      yield { table, columns: names, rows }
    }
  }
  await loadSnapshot(store, manifest.schema, batches())
}

/** The key file in a backup. Null if it has none. */
export async function readKeyOf(path: string, bucket: Bucket): Promise<Buffer | null> {
  await using archive = await openArchive(path, bucket)
  for await (const entry of archive.entries()) if (entry.path === ENTRY.key) return await entry.read()
  return null
}
