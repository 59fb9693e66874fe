import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { inspectBackup } from '@docent/server/backup/read-backup.ts'
import { type BackupFile, listBackups } from '@docent/server/backup/list-backups.ts'
import { loadConfig } from '@docent/server/config.ts'
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
  const place = folder === null ? loadConfig(terminal.environment).backupDir : resolve(terminal.folder, folder)
  if (folder !== null && !existsSync(place)) throw new CommandError(`There is no file or folder ${place}`)
  const files: Awaited<ReturnType<typeof describe>>[] = []
  // One at a time: each reads a whole file.
  for (const file of await readable(place)) files.push(await describe(file))
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

async function readable(place: string): Promise<BackupFile[]> {
  try {
    return await listBackups(place)
  } catch (error) {
    throw explainFileError('The backups cannot be read', error)
  }
}

async function describe({ path, name, bytes, modifiedAt }: BackupFile) {
  const { manifest, problem } = await inspectBackup(path)
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
