import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config.ts'
import { type Copies, openBlobs } from '#store/engine/blobs/blobs.ts'
import type { Database, Store } from '#store/db.ts'
import { migrate } from '#store/migrations/migrate.ts'
import { ensureFolder } from './data-folder.ts'
import { type OutageReporter, StoreError, StoreUnavailableError, codeOf, describe, reportOutages } from './outages.ts'
import { nameProcess } from './processes.ts'

const AGAIN_MS = 1_000

/** Grace period for refused logins: during setup, users and databases can appear late. */
const REFUSED_MS = 10_000

type Options = {
  database: Config['database']
  /** Where segments and uploads are stored. Default: in the database. */
  blobs?: Config['blobs']
  /** Folder for copies of objects in a bucket. Without it, there are none. */
  copies?: Copies
  /** Called when an outage begins, and every ten seconds while queries fail. */
  onError: (problem: StoreUnavailableError) => void
  onAnswer?: () => void
  /** Wait for an unavailable PostgreSQL until this aborts. Without it, that is an immediate error. */
  waitUntil?: AbortSignal
  /** If false, the schema stays as it is, for commands that look at a database or replace it. */
  migrates?: boolean
  /** Name of this process at the database. Default: that of a command. */
  processName?: string
}

const IN_DATABASE: Config['blobs'] = { place: 'database', folder: null, s3: null, cacheMb: 0 }

/** Opens and migrates the configured database. Throws `StoreError`, and the signal's reason if that ends the wait. */
export async function openStore(options: Options): Promise<Store> {
  const { database, onError, onAnswer, waitUntil, migrates = true, processName = nameProcess('command') } = options
  const { blobs: settings = IN_DATABASE, copies = null } = options
  const opened = await openDatabase(database, reportOutages({ onError, onAnswer }), processName)
  const blobs = openBlobs(settings, opened.write, copies, reportOutages({ onError }))
  const close = async () => {
    await blobs.close()
    await opened[Symbol.asyncDispose]()
  }
  const store = { ...opened, blobs, [Symbol.asyncDispose]: close }
  const begun = performance.now()
  try {
    for (;;) {
      try {
        if (migrates) await migrate(store)
        // Synchronizes the store's clock with the database's.
        await store.now()
        return store
      } catch (error) {
        if (!waitUntil || !mayPass(error, performance.now() - begun)) throw error
        await sleep(AGAIN_MS, undefined, { signal: waitUntil })
      }
    }
  } catch (error) {
    await store[Symbol.asyncDispose]()
    waitUntil?.throwIfAborted()
    throw error instanceof StoreUnavailableError
      ? new StoreError(sentenceFor(database, error), { cause: error })
      : error
  }
}

/** True if waiting can help: not with a full disk, and only briefly with a refused login. */
function mayPass(error: unknown, waitedMs: number): boolean {
  if (!(error instanceof StoreUnavailableError)) return false
  if (error.outage !== 'away' && error.outage !== 'busy') return false
  return !isRefusedLogin(error.cause) || waitedMs < REFUSED_MS
}

/** SQLSTATEs of a login refused because of the URL: password, role (28), database (3D). */
const isRefusedLogin = (cause: unknown): boolean => /^(28|3D)[0-9A-Z]{3}$/.test(codeOf(cause))

function sentenceFor(database: Config['database'], { outage, cause }: StoreUnavailableError): string {
  const what =
    database.engine === 'sqlite' ? `file ${database.path}` : `at ${URL.parse(database.url)?.host ?? 'DATABASE_URL'}`
  return `The database ${what} ${PROBLEMS[outage]}: ${describe(cause)}`
}

const PROBLEMS: Record<StoreUnavailableError['outage'], string> = {
  away: 'cannot be reached',
  busy: 'is too busy',
  full: 'has no disk space left',
  'read-only': 'can only be read',
  refused: 'refuses',
}

async function openDatabase(database: Config['database'], outages: OutageReporter, process: string): Promise<Database> {
  if (database.engine === 'postgres')
    return (await import('./postgres.ts')).openPostgres(database.url, outages, process)
  const { path } = database
  ensureFolder(dirname(path))
  const { openSqlite } = await import('./sqlite.ts')
  try {
    return openSqlite(path, outages)
  } catch (cause) {
    throw new StoreError(`The database file cannot be opened: ${path} (${describe(cause)})`, { cause })
  }
}

const DEFAULT_PORT = 5432

/** Host and port of the database, or null for a file. A socket path counts as this machine. */
export function databaseEndpoint(database: Config['database']): { host: string; port: number } | null {
  if (database.engine === 'sqlite') return null
  const url = URL.parse(database.url)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  const port = url?.searchParams.get('port') ?? url?.port
  const isPath = host === '' || /^(?:\/|%2f)/i.test(host)
  return { host: isPath ? 'localhost' : host.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) }
}
