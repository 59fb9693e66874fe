import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from './sqlite.ts'

async function openStore() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sqlite-'))
  const store = openSqlite(join(folder, 'test.sqlite'), { failed: (error) => error, answered() {} })
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })
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
