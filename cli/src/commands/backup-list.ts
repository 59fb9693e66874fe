import { existsSync } from 'node:fs'
import { inspectBackup } from '@docent/server/backup/read-backup.ts'
import { type BackupFile, listBackups, placeInBucket, resolvePlace } from '@docent/server/backup/list-backups.ts'
import { type Config, loadConfig } from '@docent/server/config.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFileError } from '../explain-file-error.ts'
import { formatBytes } from '../format-bytes.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'

const HEAD = ['file', 'created', 'size', 'database', 'version', 'schema', 'state']

/**
 * `docent backup list`: lists the backups of a folder, or one backup, and reads each to verify it. Fails if one is
 * damaged.
 */
export async function listBackupFiles(
  terminal: Terminal,
  { folder, asJson }: { folder: string | null; asJson: boolean },
): Promise<number> {
  const config = loadConfig(terminal.environment)
  const bucket = config.blobs.s3
  const place = folder === null ? config.backupDir : resolvePlace(terminal.folder, folder)
  if (folder !== null && placeInBucket(place) === null && !existsSync(place))
    throw new CommandError(`There is no file or folder ${place}`)
  const files: Awaited<ReturnType<typeof describe>>[] = []
  // One at a time: each reads a whole file.
  for (const file of await readable(place, bucket)) files.push(await describe(file, bucket))
  const isDamaged = files.some(({ problem }) => problem !== null)
  const code = isDamaged ? EXIT.error : EXIT.ok
  if (asJson) {
    terminal.out(`${JSON.stringify(files, null, 2)}\n`)
    return code
  }
  if (files.length === 0) {
    terminal.err(`There are no backups in ${place}.\n`)
    return EXIT.ok
  }
  const rows = files.map(({ file, createdAt, bytes, engine, version, schema, problem }) => [
    file,
    createdAt.slice(0, 19).replace('T', ' '),
    formatBytes(bytes),
    engine ?? '?',
    version ?? '?',
    schema === null ? '?' : String(schema),
    problem === null ? 'verified' : 'damaged',
  ])
  writeTable(terminal, [HEAD, ...rows])
  for (const { file, problem } of files) if (problem !== null) terminal.err(`${file}: ${problem}\n`)
  return code
}

type Bucket = Config['blobs']['s3']

async function readable(place: string, bucket: Bucket): Promise<BackupFile[]> {
  try {
    return await listBackups(place, bucket)
  } catch (error) {
    throw explainFileError('The backups cannot be read', error)
  }
}

async function describe({ path, name, bytes, modifiedAt }: BackupFile, bucket: Bucket) {
  const { manifest, problem } = await inspectBackup(path, { bucket })
  return {
    file: name,
    createdAt: manifest?.createdAt ?? modifiedAt.toISOString(),
    bytes,
    engine: manifest?.engine ?? null,
    version: manifest?.docent ?? null,
    schema: manifest?.schema ?? null,
    problem,
  }
}
