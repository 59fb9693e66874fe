import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from './sqlite.ts'

async function openStore() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return openStoreAt(join(folder, 'test.sqlite'))
}

async function openStoreAt(path: string) {
  const store = openSqlite(path, { failed: (error) => error, answered() {} })
  onTestFinished(() => store[Symbol.asyncDispose]())
  await sql`select 1`.execute(store.read)
  return store
}

test.each([
  { ms: [4.9], turns: 0 },
  { ms: [5], turns: 1 },
  { ms: [2, 2], turns: 0 },
  { ms: [2, 3], turns: 1 },
])('yields to the event loop $turns times during queries of $ms ms', async ({ ms, turns }) => {
  // The first query of a handle can be slow by itself.
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const store = await openStore()
  for (const each of ms) now.mockReturnValueOnce(0).mockReturnValueOnce(each)
  let taken = 0
  setImmediate(() => taken++)
  for (const _ of ms) await sql`select 1`.execute(store.read)
  expect(taken).toBe(turns)
})

test('treats a damaged file, as which a disk that fails to read appears, as an outage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'test.sqlite')
  const store = await openStoreAt(path)
  await sql`create table notes as select randomblob(100000) as note`.execute(store.write)
  await store.scrub()
  truncateSync(path, 4096)
  const damaged = await openStoreAt(path)
  const reading = sql`select count(*) from notes`.execute(damaged.read)
  await expect(reading).rejects.toMatchObject({ name: 'StoreUnavailableError', outage: 'away' })
})
