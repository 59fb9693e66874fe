import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { createSchema, readSchemaState } from '#store/engine/migrate.ts'
import { openStore } from '#store/engine/open.ts'
import { type Place, makePlace, onBothEngines } from '../support/database/engines.ts'
import { runCli } from '../../../cli/src/run-cli.ts'

const environmentOf = ({ database, dataDir }: Place) => ({
  DOCENT_DATA_DIR: dataDir,
  ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
})

async function end(args: string[], place: Place) {
  const run = runCli(args, { env: environmentOf(place) })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

const open = ({ database }: Place) => openStore({ database, onError: () => {}, migrates: false })

async function makeOld(place: Place, version: number) {
  await using store = await open(place)
  await store.transaction((tx) => createSchema(tx, store.engine, version))
  await createAccount(store, { email: 'ada@example.test', password: null, plan: 'free' })
}

onBothEngines('docent migrate', (engine) => {
  test('lists pending migrations without applying them, then applies them and keeps the data', async () => {
    await using place = await makePlace(engine)
    await makeOld(place, 19)

    const listed = await end(['migrate', '--dry-run'], place)
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toMatch(
      /^The schema has version 19\. This version of Docent uses \d+\. Pending migrations:\n/,
    )
    expect(listed.stdout).toContain('  20  crawl usage\n  21  structured output\n')

    expect(await end(['migrate'], place)).toMatchObject({ code: 0, stderr: '' })
    const again = await end(['migrate'], place)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toMatch(/^The schema has version \d+, which this version of Docent uses\.\n$/)

    await using store = await open(place)
    expect((await readSchemaState(store.read)).pending).toEqual([])
    expect(await store.read.selectFrom('accounts').select('email').execute()).toHaveLength(1)
  })

  test('refuses a database of a newer version with one sentence', async () => {
    await using place = await makePlace(engine)
    await makeOld(place, 21)
    {
      await using store = await open(place)
      await sql`update schema_version set version = 999`.execute(store.write)
    }
    const { code, stdout, stderr } = await end(['migrate', '--dry-run'], place)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('written by a newer version of Docent (schema 999')
    expect(stderr).not.toContain('    at ')
  })
})

test('names the data folder when there is no database', async () => {
  await using place = await makePlace('sqlite')
  const { code, stderr } = await end(['migrate'], place)
  expect(code).toBe(1)
  expect(stderr).toContain('There is no database of Docent in')
})
