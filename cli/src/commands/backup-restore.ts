import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { toSecretKey, readKeyFile, writeKeyFile } from '@docent/server/auth/secret-keys.ts'
import { loadBackup, readKeyOf, verifyBackup } from '@docent/server/backup/read-backup.ts'
import type { Manifest } from '@docent/server/backup/backup-format.ts'
import { type Config, keyFileOf, loadConfig, loadSecrets } from '@docent/server/config.ts'
import { requeueRunning } from '@docent/server/store/jobs/queue.ts'
import type { Store } from '@docent/server/store/db.ts'
import { hasAccounts } from '@docent/server/store/snapshot/load-snapshot.ts'
import { ensureFolder, lockFolder } from '@docent/server/store/engine/data-folder.ts'
import { refuseUnknownSchema } from '@docent/server/store/migrations/migrate.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { hasOtherConnections } from '@docent/server/store/engine/processes.ts'
import { currentKeyId, forgetKeys } from '@docent/server/store/accounts/secrets.ts'

import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { explainFileError } from '../explain-file-error.ts'
import { readNotedProcess } from '../service-process-id.ts'
import type { Terminal } from '../terminal.ts'

type Wanted = { file: string; isForced: boolean }
type Source = { path: string; manifest: Manifest; secretKeys: readonly string[]; signal: AbortSignal }

/** Tables of which the result names the number of rows. */
const NAMED = ['accounts', 'servers', 'sources', 'pages', 'uploads'] as const

/** `docent backup restore`: verifies a backup, and replaces the data of an unused or stopped instance by it. */
export async function restoreBackup(terminal: Terminal, { file, isForced }: Wanted): Promise<number> {
  using stop = catchStop(terminal)
  const path = resolve(terminal.folder, file)
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}`)
  if (statSync(path).isDirectory()) {
    throw new CommandError(
      `${path} is a folder. Give one of the backups in it (docent backup list ${file} shows them).`,
    )
  }
  const config = loadConfig(terminal.environment)
  const { secretKeys } = loadSecrets(terminal.environment)
  try {
    const source = { path, manifest: await verifyBackup(path, stop.signal), secretKeys, signal: stop.signal }
    refuseUnknownSchema(source.manifest.schema)
    ensureFolder(config.dataDir)
    refuseRunningService(config)
    const restore = config.database.engine === 'sqlite' ? restoreFile : restoreDatabase
    const notes = await restore(config, source, isForced)
    terminal.err(describe(source))
    for (const note of notes) terminal.err(`${terminal.colors.yellow('note')}  ${note}\n`)
    return EXIT.ok
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted
    throw explainFileError('The backup cannot be restored', error)
  }
}

function refuseRunningService({ dataDir }: Config): void {
  const noted = readNotedProcess(dataDir)
  if (!noted?.isAlive) return
  throw new CommandError(
    `The service is running on ${dataDir} (process ${noted.pid}). Stop it first. If that is another process, remove docent.pid.`,
  )
}

/** Loads the backup into a new file, which replaces the database when it is complete. */
async function restoreFile(config: Config, source: Source, isForced: boolean): Promise<string[]> {
  const path = config.database.engine === 'sqlite' ? config.database.path : ''
  using _lock = lockFolder(config.dataDir)
  // A database that cannot be opened is a reason to restore.
  if (!isForced && existsSync(path)) {
    await using store = await openStore({ database: config.database, onError: () => {}, migrates: false })
    await refuseUsed(store, config.dataDir)
  }
  const next = `${path}.restored`
  removeDatabase(next)
  try {
    const notes = await load(config, source, next)
    if (existsSync(`${next}-wal`)) throw new Error(`SQLite did not close ${next}`)
    removeDatabase(path)
    renameSync(next, path)
    return notes
  } catch (error) {
    removeDatabase(next)
    throw error
  }
}

async function restoreDatabase(config: Config, source: Source, isForced: boolean): Promise<string[]> {
  await using store = await openStore({ database: config.database, onError: () => {}, migrates: false })
  if (await hasOtherConnections(store)) {
    throw new CommandError('Another process of Docent is connected to this database. Stop all nodes first.')
  }
  if (!isForced) await refuseUsed(store, 'this database')
  await loadBackup(store, source)
  // Their leases belong to the service that was backed up.
  await requeueRunning(store.write)
  return await settleKey(store, config, source)
}

async function load(config: Config, source: Source, path: string): Promise<string[]> {
  const database = { engine: 'sqlite', path } as const
  await using store = await openStore({ database, onError: () => {}, migrates: false })
  await loadBackup(store, source)
  // Their leases belong to the service that was backed up.
  await requeueRunning(store.write)
  return await settleKey(store, config, source)
}

async function refuseUsed(store: Store, where: string): Promise<void> {
  if (!(await hasAccounts(store.read))) return
  throw new CommandError(
    `There are accounts in ${where} already. Restore into an empty place, or replace everything there with --force.`,
  )
}

/** Removes a database with its log. A log of another database would be applied to the new one. */
function removeDatabase(path: string): void {
  for (const suffix of ['-wal', '-shm', '']) rmSync(`${path}${suffix}`, { force: true })
}

/**
 * Restores the key file, if the backup contains it. Returns what the operator has to do to make the credentials
 * usable.
 */
async function settleKey(store: Store, config: Config, { path, manifest, secretKeys }: Source): Promise<string[]> {
  const keyFile = keyFileOf(config)
  const kept = await readKeyOf(path)
  if (kept && keyFile !== null && secretKeys.length === 0) {
    writeKeyFile(keyFile, kept.toString().split(/\s+/).filter(Boolean))
    return []
  }
  const current = await currentKeyId(store.read)
  const keys = secretKeys.length > 0 || keyFile === null ? secretKeys : (readKeyFile(keyFile) ?? [])
  if (current === undefined || keys.some((key) => toSecretKey(key).id === current)) return []
  const sealed = manifest.tables.filter(({ name }) => ['credentials', 'linked_accounts', 'site_access'].includes(name))
  if (sealed.every(({ rows }) => rows === 0)) {
    await forgetKeys(store.write)
    return []
  }
  if (kept)
    return [`The credentials need the key in this backup: set DOCENT_SECRET_KEY to it (tar -xOf FILE secret.key).`]
  return [
    `The credentials need the key that they were encrypted with: ${keyFile === null ? 'set DOCENT_SECRET_KEY to it' : `copy it to ${keyFile}`}. Everything else works without it.`,
  ]
}

function describe({ path, manifest: { tables, docent, engine, schema, createdAt } }: Source): string {
  const counts = NAMED.map((name) => {
    const rows = tables.find((table) => table.name === name)?.rows ?? 0
    return `  ${name.padEnd(10)} ${rows.toLocaleString('en')}\n`
  })
  return `Restored ${basename(path)} of ${createdAt} (Docent ${docent}, ${engine}, schema ${schema}):\n${counts.join('')}`
}
