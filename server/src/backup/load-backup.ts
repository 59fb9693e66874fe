import type { Store } from '#store/db.ts'
import { type Batch, loadSnapshot } from '#store/snapshot/load-snapshot.ts'
import { DamagedBackupError } from './damaged-backup-error.ts'
import { ENTRY, type Manifest } from './manifest.ts'
import { decodeRows } from './row-format.ts'
import { openTar } from './tar-file.ts'
import { readParts } from './verify-backup.ts'

/** Replaces the data of a database by those of a verified backup, of either engine, and migrates them. */
export async function loadBackup(
  store: Store,
  { path, manifest, signal }: { path: string; manifest: Manifest; signal: AbortSignal },
): Promise<void> {
  await using tar = await openTar(path)
  const columns = new Map(manifest.tables.map((table) => [table.name, table.columns]))
  const batches = async function* (): AsyncGenerator<Batch> {
    for await (const { table, rows: count, data } of readParts(tar.entries(), manifest)) {
      signal.throwIfAborted()
      const names = columns.get(table) ?? []
      const rows = await decodeRows(data, names.length)
      if (rows.length !== count) throw new DamagedBackupError(`a part of ${table} has another number of rows`)
      yield { table, columns: names, rows }
    }
  }
  await loadSnapshot(store, manifest.schema, batches())
}

/** The key file in a backup. Null if it has none. */
export async function readKeyOf(path: string): Promise<Buffer | null> {
  await using tar = await openTar(path)
  for await (const entry of tar.entries()) if (entry.path === ENTRY.key) return await entry.read()
  return null
}
