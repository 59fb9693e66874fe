import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrate } from '#store/migrations/migrate.ts'
import { openStore } from '#store/engine/open.ts'
import { checkSettings } from '../../../cli/src/doctor/check-settings.ts'
import { checkNode } from '../../../cli/src/doctor/check-machine.ts'
import { runCli } from '../../../cli/src/run-cli.ts'
import { spawnCli } from '../../../cli/src/spawn-cli.ts'
import { isRecent } from '../../../scripts/launch/node-version.mjs'
import { type Place, makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

type Finding = { check: string; state: string; detail: string; advice: string | null }

const environmentOf = ({ database, dataDir }: Place): Record<string, string> => ({
  DOCENT_DATA_DIR: dataDir,
  DOCENT_PORT: '0',
  DOCENT_BROWSER: 'off',
  ...(database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}),
})

async function examine(
  place: Place,
  more: Record<string, string> = {},
  start: typeof runCli | typeof spawnCli = runCli,
) {
  const run = start(['doctor', '--json'], { env: { ...environmentOf(place), ...more } })
  const code = await run.ended
  if (run.stderr) throw new Error(run.stderr)
  const { ok, findings } = JSON.parse(run.stdout) as { ok: boolean; findings: Finding[] }
  const of = (check: string) => findings.filter((finding) => finding.check === check)
  return { code, ok, of }
}

const open = ({ database }: Place) => openStore({ database, onError: () => {} })

/** A stopped service with one indexed site. */
async function makeUsed(place: Place): Promise<void> {
  await using site = await startSite({ '/': page('Pumps', 'Pumps are started with the green button.') })
  await using docent = await startDocent({ place })
  await docent.createServer({ name: 'x', sources: [{ url: `${site.url}/` }] })
}

onSqliteAtLeast('docent doctor', (engine) => {
  test('finds no problem with a stopped service, and counts its segments', async () => {
    await using place = await makePlace(engine)
    await makeUsed(place)
    const { code, ok, of } = await examine(place)
    expect([code, ok]).toEqual([0, true])
    expect(of('Database')).toMatchObject([{ state: 'ok', detail: expect.stringMatching(/, schema \d+$/) }])
    expect(of('Segments')).toMatchObject([{ state: 'ok', detail: '1, all readable' }])
    expect(of('Process')).toMatchObject([{ state: 'ok' }])
    expect(of('Backups')).toMatchObject([{ state: 'warning', advice: expect.stringContaining('docent backup create') }])
  })

  test('recognises a running service by its process and its port', async () => {
    await using docent = await startDocent({ engine })
    const { of } = await examine(docent.place, { DOCENT_PORT: new URL(docent.url).port }, spawnCli)
    expect(of('Process')).toMatchObject([{ state: 'ok', detail: `the service runs as process ${process.pid}` }])
    expect(of('Port')).toMatchObject([{ state: 'ok', detail: expect.stringContaining('the service answers') }])
  })

  test('reports damaged and missing segments', async () => {
    await using place = await makePlace(engine)
    await makeUsed(place)
    await using store = await open(place)
    const damage = async (change: () => Promise<unknown>) => {
      await change()
      const { code, of } = await examine(place)
      expect([code, of('Segments')]).toMatchObject([
        1,
        [{ state: 'problem', advice: expect.stringContaining('again') }],
      ])
    }
    const { data } = await store.read.selectFrom('segmentParts').select('data').executeTakeFirstOrThrow()
    const changed = Buffer.from(data).fill(255, 0, 64)
    await damage(() => store.write.updateTable('segmentParts').set({ data: changed }).execute())
    await damage(() =>
      store.write
        .updateTable('segmentParts')
        .set({ data: changed.subarray(9) })
        .execute(),
    )
    await damage(() => store.write.deleteFrom('segments').execute())
  })

  test('reports pending migrations, and a database of another version', async () => {
    await using place = await makePlace(engine, { isEmpty: true })
    await using store = await openStore({ database: place.database, onError: () => {}, migrates: false })
    const pending = await examine(place)
    expect([pending.code, pending.of('Database')]).toMatchObject([
      0,
      [{ state: 'warning', advice: expect.stringContaining('docent migrate') }],
    ])
    await migrate(store)
    for (const [version, advice] of [
      [999, 'Install the newer version of Docent again.'],
      [34, 'Start with an empty data folder or database.'],
    ] as const) {
      await sql`update schema_version set version = ${version}`.execute(store.write)
      const { code, of } = await examine(place)
      expect([code, of('Database')]).toMatchObject([1, [{ state: 'problem', advice }]])
    }
  })
})

describe('docent doctor', () => {
  test('reports an unreachable database without its password', async () => {
    await using place = await makePlace('sqlite')
    const { code, of } = await examine(place, { DATABASE_URL: 'postgres://ada:canary-password@127.0.0.1:1/docent' })
    expect([code, of('Database')]).toMatchObject([
      1,
      [{ state: 'problem', detail: expect.stringContaining('127.0.0.1:1') }],
    ])
    expect(JSON.stringify(of('Database'))).not.toContain('canary-password')
  })

  test('reports a damaged database file, a dead process and open permissions', async () => {
    await using place = await makePlace('sqlite')
    writeFileSync(join(place.dataDir, 'docent.sqlite'), 'no database '.repeat(100))
    writeFileSync(join(place.dataDir, 'docent.pid'), '4194399\n')
    chmodSync(join(place.dataDir, 'docent.pid'), 0o600)
    chmodSync(join(place.dataDir, 'docent.sqlite'), 0o644)
    const { code, of } = await examine(place)
    expect([code, of('Database'), of('Process')]).toMatchObject([1, [{ state: 'problem' }], [{ state: 'warning' }]])
    expect(of('Data folder')).toMatchObject([{ state: 'warning', advice: expect.stringContaining('chmod go-rwx') }])
  })

  test('reports a port that another program uses', async () => {
    await using place = await makePlace('sqlite')
    const other = createServer((socket) => socket.end('220 not http\r\n')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { code, of } = await examine(place, { DOCENT_PORT: String((other.address() as AddressInfo).port) })
    other.close()
    expect([code, of('Port')]).toMatchObject([
      1,
      [{ state: 'problem', advice: expect.stringContaining('DOCENT_PORT') }],
    ])
  })

  test('reports an invalid setting, and says of the rest that it was not checked', async () => {
    await using place = await makePlace('sqlite')
    const { code, of } = await examine(place, { DOCENT_THREADS: 'many' })
    expect([code, of('Database')]).toEqual([1, []])
    expect(of('Settings').at(-1)).toMatchObject({ state: 'problem', detail: expect.stringContaining('DOCENT_THREADS') })
  })

  test('warns about an old backup', async () => {
    await using place = await makePlace('sqlite')
    await using _ = await open(place)
    const old = join(place.dataDir, 'backups', 'docent-20200101T000000Z.tar')
    mkdirSync(join(old, '..'))
    writeFileSync(old, '')
    utimesSync(old, 0, Date.now() / 1000 - 10 * 86_400)
    expect((await examine(place)).of('Backups')).toMatchObject([{ detail: 'The last one is 10 days old.' }])
  })

  test('prints one line for each check, with what to do below', async () => {
    await using place = await makePlace('sqlite')
    const run = runCli(['doctor'], { env: { ...environmentOf(place), DOCENT_TREADS: '2' } })
    expect([await run.ended, run.stderr]).toEqual([0, ''])
    expect(run.stdout).toContain('warning  Settings     DOCENT_TREADS is not a setting and has no effect.\n')
    expect(run.stdout).toContain('→ Did you mean DOCENT_THREADS?\n')
    expect(run.stdout).toMatch(/^ok {7}Node {9}24\./)
  })
})

test.each([
  ['DOCENT_DATADIR', 'DOCENT_DATA_DIR'],
  ['DOCENT_DATABASE_URL', 'DATABASE_URL'],
  ['DOCENT_SECRETKEY_FILE', 'DOCENT_SECRET_KEY'],
  ['DOCENT_COMPLETELY_DIFFERENT', null],
])('suggests for %s the setting %s', (given, meant) => {
  const [finding] = checkSettings([given])
  expect([finding?.state, finding?.advice]).toEqual([
    'warning',
    meant === null ? 'docs/settings.md lists all settings.' : `Did you mean ${meant}?`,
  ])
})

test('accepts settings that exist, also from a file', () => {
  expect(checkSettings(['DOCENT_PORT', 'DOCENT_SECRET_KEY_FILE', 'DATABASE_URL'])).toMatchObject([{ state: 'ok' }])
})

test.each(['20.20.2', '24.11.9', '24.12.0', '24.21.0', '26.0.0'])('accepts Node %s like the launcher', (version) => {
  expect(checkNode(version).state === 'ok').toBe(isRecent(version))
})
