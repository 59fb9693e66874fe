import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#config.ts'
import type { Store } from './db.ts'
import { migrate } from './migrate.ts'

/** The database cannot be used, and why, in one sentence for the operator. */
export class StoreError extends Error {
  override name = 'StoreError'
}

type Options = { database: Config['database']; onError: (error: Error) => void }

/** Opens the configured database, creates what is missing and brings the schema up to date. Throws `StoreError`. */
export async function openStore({ database, onError }: Options): Promise<Store> {
  const store = database.engine === 'sqlite' ? await openFile(database.path) : await connect(database.url, onError)
  try {
    await migrate(store)
    // From here on the store's clock goes by the database's.
    await store.now()
    return store
  } catch (error) {
    await store[Symbol.asyncDispose]()
    if (database.engine === 'postgres' && isConnectionError(error)) {
      throw new StoreError(`The database at ${hostOf(database.url)} cannot be reached: ${describe(error)}`, {
        cause: error,
      })
    }
    throw error
  }
}

/** Makes the data folder where it is missing. Throws `StoreError` when it cannot be written. */
export function ensureFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new StoreError(`The data folder cannot be written: ${folder}. Give another with DOCENT_DATA_DIR.`, { cause })
  }
}

/** One level at a time: Node's own recursion never ends where a folder can be looked at but not made, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}

async function openFile(path: string): Promise<Store> {
  ensureFolder(dirname(path))
  const { openSqlite } = await import('./sqlite.ts')
  try {
    return openSqlite(path)
  } catch (cause) {
    throw new StoreError(`The database file cannot be opened: ${path} (${describe(cause)})`, { cause })
  }
}

async function connect(url: string, onError: (error: Error) => void): Promise<Store> {
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url, onError)
}

const describe = (error: unknown): string => (error instanceof Error ? error.message || codeOf(error) : String(error))

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' ? code : ''
}

/** Refused, unresolvable, timed out, or turned away while signing in (SQLSTATE classes 08, 28, 3D, 57). */
const isConnectionError = (error: unknown): boolean =>
  /^(E[A-Z]+|08|28|3D|57)/.test(codeOf(error)) || /timeout exceeded|terminated/i.test(describe(error))

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return 'DATABASE_URL'
  }
}
