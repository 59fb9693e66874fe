import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { migrate, readSchemaState } from '#store/migrations/migrate.ts'
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

/** A database that says that its schema has another version. */
async function makeOfVersion(place: Place, version: number) {
  await using store = await open(place)
  await migrate(store)
  await sql`update schema_version set version = ${version}`.execute(store.write)
}

onBothEngines('docent migrate', (engine) => {
  test('lists pending migrations without applying them, then applies them', async () => {
    await using place = await makePlace(engine, { isEmpty: true })
    {
      // An empty database.
      await using _store = await open(place)
    }

    const listed = await end(['migrate', '--dry-run'], place)
    expect(listed).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toMatch(/^The schema has version 0\. This version of Docent uses \d+\. Pending migrations:\n/)
    expect(listed.stdout).toContain('  35  first tables\n')

    expect(await end(['migrate'], place)).toMatchObject({ code: 0, stderr: '' })
    const again = await end(['migrate'], place)
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toMatch(/^The schema has version \d+, which this version of Docent uses\.\n$/)

    await using store = await open(place)
    expect((await readSchemaState(store.read)).pending).toEqual([])
    expect(await createAccount(store, { email: 'ada@example.test', password: null, plan: 'free' })).toBeTruthy()
  })

  test.each([
    [999, 'written by a newer version of Docent (schema 999'],
    [34, 'written by an older development version of Docent (schema 34'],
  ])('refuses a database of schema %d with one sentence', async (version, sentence) => {
    await using place = await makePlace(engine, { isEmpty: true })
    await makeOfVersion(place, version)
    const { code, stdout, stderr } = await end(['migrate', '--dry-run'], place)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })
})

test('names the data folder when there is no database', async () => {
  await using place = await makePlace('sqlite', { isEmpty: true })
  const { code, stderr } = await end(['migrate'], place)
  expect(code).toBe(1)
  expect(stderr).toContain('There is no database of Docent in')
})
