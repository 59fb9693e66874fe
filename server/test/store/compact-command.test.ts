import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { runCli } from '../../../cli/src/run-cli.ts'
import { makePlace } from '../support/database/engines.ts'

const PAGES = 6_000

/** Writes and deletes rows of a page each. */
async function fillAndEmpty({ write }: Store): Promise<void> {
  await sql`create table if not exists filler (content blob)`.execute(write)
  await sql`with recursive n (at) as (select 1 union all select at + 1 from n where at < ${PAGES})
    insert into filler select zeroblob(4000) from n`.execute(write)
  await sql`delete from filler`.execute(write)
}

async function sizeAfter(store: Store, path: string): Promise<number> {
  await store.scrub()
  return statSync(path).size / 4_096
}

test('gives the space of deleted rows back, and keeps some pages for new ones', async () => {
  await using place = await makePlace('sqlite')
  if (place.database.engine !== 'sqlite') throw new Error('not a file')
  const { path } = place.database
  await using store = await openStore({ database: place.database, onError: () => {} })
  await fillAndEmpty(store)
  expect(await sizeAfter(store, path)).toBeGreaterThan(PAGES)
  await store.releaseSpace()
  const left = await sizeAfter(store, path)
  expect(left).toBeLessThan(PAGES / 2)
  expect(left).toBeGreaterThan(1_500)
})

test('compacts a file of an earlier version once, which the service can shrink from then on', async () => {
  await using place = await makePlace('sqlite', { isEmpty: true })
  if (place.database.engine !== 'sqlite') throw new Error('not a file')
  const { path } = place.database
  const old = new DatabaseSync(path)
  old.exec('create table made_by_an_earlier_version (a)')
  old.close()
  const open = () => openStore({ database: place.database, onError: () => {} })
  {
    await using store = await open()
    await fillAndEmpty(store)
    await store.releaseSpace()
    expect(await sizeAfter(store, path)).toBeGreaterThan(PAGES)
  }
  const run = runCli(['database', 'compact'], { env: { DOCENT_DATA_DIR: place.dataDir } })
  expect([await run.ended, run.stderr]).toEqual([0, ''])
  expect(run.stdout).toMatch(/^The database had [\d,]+ kB and has [\d,]+ kB now\.\n$/)
  await using store = await open()
  expect(await sizeAfter(store, path)).toBeLessThan(500)
  await fillAndEmpty(store)
  await store.releaseSpace()
  expect(await sizeAfter(store, path)).toBeLessThan(PAGES / 2)
})
