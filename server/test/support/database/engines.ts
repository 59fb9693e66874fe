import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, inject } from 'vitest'
import type { Config } from '#config.ts'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { administer, urlOf } from './templates.ts'

export type Engine = Store['engine']

/** A temporary place for data, deleted when it is disposed of. */
export type Place = { database: Config['database']; dataDir: string; [Symbol.asyncDispose](): Promise<void> }

/**
 * Runs a suite on SQLite, and on PostgreSQL if the run is long (`npm run test:long`). For suites whose queries others
 * send too.
 */
export function onSqliteAtLeast(name: string, suite: (engine: Engine) => void): void {
  if (inject('isLong')) onBothEngines(name, suite)
  else describe(`${name}, on SQLite`, () => suite('sqlite'))
}

/**
 * Runs a suite on each database engine of the machine: for the store, limits and jobs, and for queries that no other
 * suite sends. A missing engine counts as skipped.
 */
export function onBothEngines(name: string, suite: (engine: Engine) => void): void {
  describe(`${name}, on SQLite`, () => suite('sqlite'))
  describe.skipIf(inject('postgresUrl') === '')(`${name}, on PostgreSQL`, () => suite('postgres'))
}

/** False for tests on PostgreSQL whose queries the rest of their suite sends too, unless the run is long. */
export const repeatsOn = (engine: Engine): boolean => engine === 'sqlite' || inject('isLong')

/** A fresh data folder and, on PostgreSQL, its own database: with all tables and no rows, or without tables. */
export async function makePlace(engine: Engine, { isEmpty = false } = {}): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docent-test-'))
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true })
  const templates = inject('templates')
  if (engine === 'sqlite') {
    const path = join(dataDir, 'docent.sqlite')
    if (!isEmpty) copyFileSync(templates.sqlite, path)
    return { database: { engine, path }, dataDir, [Symbol.asyncDispose]: async () => removeFolder() }
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  const administrator = inject('postgresUrl')
  await administer(administrator, `create database ${name} template ${isEmpty ? 'template1' : templates.postgres}`)
  return {
    database: { engine, url: urlOf(administrator, name) },
    dataDir,
    async [Symbol.asyncDispose]() {
      removeFolder()
      await administer(administrator, `drop database ${name} with (force)`)
    },
  }
}

/** An open store at a fresh place. */
export async function makeStore(engine: Engine): Promise<Store> {
  const place = await makePlace(engine)
  const store = await openStore({ database: place.database, onError: () => {} })
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

/**
 * Stores of two nodes at one place; `running` is the store of a service there. SQLite allows one process only, so there
 * both are the same store.
 */
export async function openTwoNodes({ database }: Place, running?: Store) {
  const open = () => openStore({ database, onError: () => {} })
  await using stack = new AsyncDisposableStack()
  const one = running ?? stack.use(await open())
  const other = database.engine === 'postgres' ? stack.use(await open()) : one
  const kept = stack.move()
  return { one, other, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
