import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { toSecretKey, readKeyFile, writeKeyFile } from '@docent/server/auth/secret-keys.ts'
import { loadBackup, readKeyOf, verifyBackup } from '@docent/server/backup/read-backup.ts'
import { placeInBucket, resolvePlace } from '@docent/server/backup/list-backups.ts'
import type { Manifest } from '@docent/server/backup/backup-format.ts'
import { type Config, keyFileOf, loadConfig, loadSecrets } from '@docent/server/config.ts'
import { requeueRunning } from '@docent/server/store/jobs/queue.ts'
import type { Store } from '@docent/server/store/db.ts'
import { hasAccounts, keepObjectPrefix, readObjectPrefix } from '@docent/server/store/snapshot/load-snapshot.ts'
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
type Source = {
  path: string
  bucket: Config['blobs']['s3']
  manifest: Manifest
  secretKeys: readonly string[]
  signal: AbortSignal
}

/** Tables of which the result names the number of rows. */
const NAMED = ['accounts', 'servers', 'sources', 'pages', 'uploads'] as const

/** `docent backup restore`: verifies a backup, and replaces the data of an unused or stopped instance by it. */
export async function restoreBackup(terminal: Terminal, { file, isForced }: Wanted): Promise<number> {
  using stop = catchStop(terminal)
  const path = resolvePlace(terminal.folder, file)
  if (placeInBucket(path) === null) requireFile(path)
  const config = loadConfig(terminal.environment)
  const bucket = config.blobs.s3
  const { secretKeys } = loadSecrets(terminal.environment)
  try {
    const manifest = await verifyBackup(path, { bucket, signal: stop.signal })
    const source = { path, bucket, manifest, secretKeys, signal: stop.signal }
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

function requireFile(path: string): void {
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}`)
  if (!statSync(path).isDirectory()) return
  throw new CommandError(`${path} is a folder. Give one of the backups in it (docent backup list PATH shows them).`)
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
  const prefix = existsSync(path) ? await examineFile(config, isForced) : null
  const next = `${path}.restored`
  removeDatabase(next)
  try {
    const notes = await load(config, source, { path: next, prefix })
    if (existsSync(`${next}-wal`)) throw new Error(`SQLite did not close ${next}`)
    removeDatabase(path)
    renameSync(next, path)
    return notes
  } catch (error) {
    removeDatabase(next)
    throw error
  }
}

/** Refuses a database in use, and returns the folder of its objects. One that cannot be opened is a reason to restore. */
async function examineFile({ database, dataDir }: Config, isForced: boolean): Promise<string | null> {
  try {
    await using store = await openStore({ database, onError: () => {}, migrates: false })
    if (!isForced) await refuseUsed(store, dataDir)
    return await readObjectPrefix(store.read)
  } catch (error) {
    if (isForced) return null
    throw error
  }
}

async function restoreDatabase(config: Config, source: Source, isForced: boolean): Promise<string[]> {
  await using store = await openStore({ database: config.database, onError: () => {}, migrates: false })
  if (await hasOtherConnections(store)) {
    throw new CommandError('Another process of Docent is connected to this database. Stop all nodes first.')
  }
  if (!isForced) await refuseUsed(store, 'this database')
  return await loadInto(store, config, source, await readObjectPrefix(store.read))
}

async function load(config: Config, source: Source, next: { path: string; prefix: string | null }): Promise<string[]> {
  const database = { engine: 'sqlite', path: next.path } as const
  await using store = await openStore({ database, onError: () => {}, migrates: false })
  return await loadInto(store, config, source, next.prefix)
}

async function loadInto(store: Store, config: Config, source: Source, prefix: string | null): Promise<string[]> {
  await loadBackup(store, source)
  await keepObjectPrefix(store.write, prefix)
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
async function settleKey(
  store: Store,
  config: Config,
  { path, bucket, manifest, secretKeys }: Source,
): Promise<string[]> {
  const keyFile = keyFileOf(config)
  const kept = await readKeyOf(path, bucket)
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
