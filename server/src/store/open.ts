import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config.ts'
import type { Store } from './db.ts'
import { migrate } from './migrate.ts'
import { type OutageReporter, reportOutages } from './report-outages.ts'
import { StoreUnavailableError } from './store-unavailable.ts'

/** The database cannot be used, and why, in one sentence for the operator. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** A database that does not answer yet is tried again this often. */
const AGAIN_MS = 1_000

/** A login that is refused is believed after so long: a server that is being set up has its users and databases late. */
const REFUSED_MS = 10_000

type Options = {
  database: Config['database']
  /** Hears that the database cannot do its work: when that begins, and every ten seconds while it is asked to. */
  onError: (problem: StoreUnavailableError) => void
  /** Hears that a database that was away answers again. */
  onAnswer?: () => void
  /** Waits for a PostgreSQL that does not answer, until this is aborted. Without it that is an error at once. */
  waitUntil?: AbortSignal
}

/**
 * Opens the configured database, creates what is missing and brings the schema up to date. Throws `StoreError`, and the
 * signal's reason where that ends the waiting.
 */
export async function openStore({ database, onError, onAnswer, waitUntil }: Options): Promise<Store> {
  const outages = reportOutages({ onError, onAnswer })
  const store =
    database.engine === 'sqlite' ? await openFile(database.path, outages) : await connect(database.url, outages)
  const begun = performance.now()
  try {
    for (;;) {
      try {
        await migrate(store)
        // From here on the store's clock goes by the database's.
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

/** Whether waiting can help: not on a full disk, nor, for long, where the server refuses who we are. */
function mayPass(error: unknown, waitedMs: number): boolean {
  if (!(error instanceof StoreUnavailableError)) return false
  if (error.outage !== 'away' && error.outage !== 'busy') return false
  return !isRefusedLogin(error.cause) || waitedMs < REFUSED_MS
}

/** SQLSTATEs of a login that is refused for what the address says: password, role (28), database (3D). */
const isRefusedLogin = (cause: unknown): boolean => /^(28|3D)[0-9A-Z]{3}$/.test(codeOf(cause))

function sentenceFor(database: Config['database'], { outage, cause }: StoreUnavailableError): string {
  const what = database.engine === 'sqlite' ? `file ${database.path}` : `at ${hostOf(database.url)}`
  return `The database ${what} ${PROBLEMS[outage]}: ${describe(cause)}`
}

const PROBLEMS: Record<StoreUnavailableError['outage'], string> = {
  away: 'cannot be reached',
  busy: 'is too busy',
  full: 'has no disk space left',
  'read-only': 'can only be read',
}

/** Makes the data folder where it is missing. Throws `StoreError` when it cannot be written. */
export function ensureFolder(folder: string): void {
  const file = nearest(folder)
  if (!statSync(file).isDirectory()) {
    throw new StoreError(
      `The data folder cannot be made at ${folder}: ${file} is a file. Give a folder with DOCENT_DATA_DIR.`,
    )
  }
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new StoreError(`The data folder cannot be written: ${folder}. Give another with DOCENT_DATA_DIR.`, { cause })
  }
}

/** The path itself, or the nearest one above it that there is. */
function nearest(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : nearest(parent)
}

/** One level at a time: Node's own recursion never ends where a folder can be looked at but not made, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}

async function openFile(path: string, outages: OutageReporter): Promise<Store> {
  ensureFolder(dirname(path))
  const { openSqlite } = await import('./sqlite.ts')
  try {
    return openSqlite(path, outages)
  } catch (cause) {
    throw new StoreError(`The database file cannot be opened: ${path} (${describe(cause)})`, { cause })
  }
}

async function connect(url: string, outages: OutageReporter): Promise<Store> {
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url, outages)
}

const describe = (error: unknown): string => (error instanceof Error ? error.message || codeOf(error) : String(error))

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'DATABASE_URL'
  }
}
