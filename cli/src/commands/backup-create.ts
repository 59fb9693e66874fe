import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createBackup } from '@docent/server/backup/create-backup.ts'
import { nameOfBackup, pathOfBackup, placeInBucket, resolvePlace } from '@docent/server/backup/list-backups.ts'
import { keyFileOf } from '@docent/server/config.ts'
import { VERSION } from '@docent/server/version.ts'
import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFileError } from '../explain-file-error.ts'
import { formatBytes } from '../format-bytes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

type Wanted = { to: string | null; includesKey: boolean }

/** `docent backup create`: writes all data to one file, also while the service runs. */
export async function createBackupFile(terminal: Terminal, { to, includesKey }: Wanted): Promise<number> {
  using stop = catchStop(terminal)
  return withStore(
    terminal,
    async (store, config) => {
      const createdAt = new Date()
      const isFolder = to === null || /[/\\]$/.test(to)
      const place = to === null ? config.backupDir : resolvePlace(terminal.folder, to)
      const path = pathFor(place, isFolder, createdAt)
      const bucket = config.blobs.s3
      const key = includesKey ? readKey(keyFileOf(config)) : null
      try {
        const options = { path, bucket, createdAt, version: VERSION, key, signal: stop.signal }
        const { tables, parts } = await createBackup(store, options)
        const [rows, bytes] = [sumOf(tables, 'rows'), sumOf(parts, 'bytes')]
        terminal.err(`Wrote ${rows.toLocaleString('en')} rows, ${formatBytes(bytes)}.\n`)
      } catch (error) {
        if (stop.signal.aborted) return EXIT.interrupted
        throw explainFileError('The backup cannot be written', error)
      }
      terminal.out(`${path}\n`)
      return EXIT.ok
    },
    { migrates: false },
  )
}

const sumOf = <Key extends string>(list: readonly Record<Key, number>[], key: Key) =>
  list.reduce((sum, entry) => sum + entry[key], 0)

/** The path itself, or a new name in it if it is a folder. Creates a folder that is meant as one. */
function pathFor(place: string, isMeantAsFolder: boolean, createdAt: Date): string {
  if (placeInBucket(place) !== null) return pathOfBackup(place, createdAt)
  if (isMeantAsFolder) makeFolder(place)
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const path = isFolder ? join(place, nameOfBackup(createdAt)) : place
  if (existsSync(path)) throw new CommandError(`There is a file with this name already: ${path}`)
  return path
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw explainFileError('The folder of backups cannot be made. Give another with --to or DOCENT_BACKUP_DIR', cause)
  }
}

function readKey(keyFile: string | null): Buffer {
  if (keyFile === null || !existsSync(keyFile)) {
    throw new CommandError(
      'There is no key file to include. If DOCENT_SECRET_KEY is set, keep a copy of that, and leave --include-key out.',
    )
  }
  return readFileSync(keyFile)
}
