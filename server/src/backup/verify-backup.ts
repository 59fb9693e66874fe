import { createHash } from 'node:crypto'
import { DamagedBackupError } from './damaged-backup-error.ts'
import { ENTRY, type Manifest, manifestSchema } from './manifest.ts'
import { type TarEntry, openTar } from './tar-file.ts'

export const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/**
 * Reads a whole backup and compares every part with its checksum. Throws `DamagedBackupError`, the error of an aborted
 * `signal`, and errors of the file system.
 */
export async function verifyBackup(path: string, signal?: AbortSignal): Promise<Manifest> {
  await using tar = await openTar(path)
  const found: { path: string; bytes: number; sha256: string }[] = []
  let manifest: Buffer | null = null
  let checksum: string | null = null
  let hasKey = false
  for await (const entry of tar.entries()) {
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
  const wanted = contents.parts.map(({ path: part, bytes, sha256: hash }) => ({ path: part, bytes, sha256: hash }))
  for (const [at, part] of wanted.entries()) {
    const other = found[at]
    if (other?.path !== part.path) throw new DamagedBackupError(`${part.path} is missing`)
    if (other.bytes !== part.bytes || other.sha256 !== part.sha256)
      throw new DamagedBackupError(`${part.path} was changed`)
  }
  if (found.length !== wanted.length || hasKey !== contents.hasKey)
    throw new DamagedBackupError('it has other entries than its table of contents')
  return contents
}

/** The entries that are parts, with their descriptions. Checks each part again when it is read. */
export async function* readParts(
  entries: AsyncIterable<TarEntry>,
  { parts }: Manifest,
): AsyncGenerator<{ table: string; rows: number; data: Buffer }> {
  const described = new Map(parts.map((part) => [part.path, part]))
  for await (const entry of entries) {
    const part = described.get(entry.path)
    if (!part) continue
    const data = await entry.read()
    if (sha256(data) !== part.sha256) throw new DamagedBackupError(`${part.path} was changed`)
    yield { table: part.table, rows: part.rows, data }
  }
}

function readManifest(data: Buffer): Manifest {
  const parsed = manifestSchema.safeParse(JSON.parse(data.toString()))
  if (parsed.success) return parsed.data
  throw new DamagedBackupError('another version of Docent wrote its table of contents', { cause: parsed.error })
}
