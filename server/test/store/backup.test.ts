import { copyFileSync, existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { BACKED_UP_TABLES, OTHER_TABLES } from '#store/snapshot/read-snapshot.ts'
import { createAccount } from '#auth/accounts.ts'
import { createBackup } from '#backup/create-backup.ts'
import { loadBackup, verifyBackup } from '#backup/read-backup.ts'
import { VERSION } from '#version.ts'
import { openStore } from '#store/engine/open.ts'
import { readSchemaState, readTables } from '#store/migrations/migrate.ts'
import { backUp, runOn } from '../support/database/back-up.ts'
import { type Engine, type Place, makePlace, makeStore, onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const ENGINES: Engine[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres']
/** The engines that a backup goes to: in `npm test` the other one. */
const targetsOf = (engine: Engine) =>
  inject('isLong') || ENGINES.length === 1 ? ENGINES : ENGINES.filter((other) => other !== engine)

const text = (number: number) =>
  `The valve number ${number} opens at ${number * 3 + 7} bar. It is checked by the operator of hall ${number}.`

/** A slow site. Its last pages wait for `release`, so that no crawl ends before it. */
async function startSlowSite(pages: number) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const links = Array.from({ length: pages }, (_, number) => `/valve-${number}`)
  const site = await startSite({ '/': page('Valves', 'The valves of the waterworks.', links) })
  for (const [number, link] of links.entries())
    site.pages.set(link, (_, response) => {
      const answer = () =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(`Valve ${number}`, text(number)))
      void (number < pages - 5 ? sleep(60) : released).then(answer)
    })
  return { ...site, release }
}

async function ask(docent: Docent, slug: string, question: string): Promise<string> {
  const { result } = await docent.callTool(slug, 'ask_question', { question })
  // The addresses of uploaded pages begin with that of the service.
  return result.content[0].text.replaceAll(docent.url, '')
}

const create = async (docent: Docent, body: object) =>
  (await docent.request('POST', '/api/mcp/create', body)).body.slug as string

onBothEngines('a backup', (engine) => {
  test.each(targetsOf(engine))('restores a backup of a running crawl into %s, with the same answers', async (to) => {
    await using finished = await startSite({ '/': page('Pumps', 'Pumps are started with the green button.') })
    await using slow = await startSlowSite(60)
    await using target = await makePlace(to, { isEmpty: true })
    const question = 'How are pumps started?'
    let file = ''
    let answers: string[] = []
    await using place = await makePlace(engine)
    let key = ''
    {
      await using docent = await startDocent({ place })
      key = docent.key
      const pumps = await create(docent, { name: 'Pumps', sources: [{ url: `${finished.url}/` }] })
      const files = await create(docent, { name: 'Files', uploads: ['notes.md'] })
      const bytes = new Uint8Array(Buffer.from('# Reservoir\n\nThe reservoir was cleaned in April.'))
      await docent.request('POST', `/api/mcp/${files}/sources/upload?name=notes.md&file=notes.md`, bytes)
      for (const slug of [pumps, files]) await docent.untilDone(slug)
      const pin = { questions: [question], url: `${finished.url}/` }
      await docent.request('POST', `/api/mcp/${pumps}/pins`, pin)
      answers = [await ask(docent, pumps, question), await ask(docent, files, 'When was the reservoir cleaned?')]
      await create(docent, { name: 'Valves', sources: [{ url: `${slow.url}/` }] })
      while (slow.requests.length < 10) await sleep(10)
      file = await backUp(place)
      slow.release()
    }
    expect(answers[0]).toContain('green button')
    expect(answers[0]).toContain('The owner of this server chose the section')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const restored = await runOn(['backup', 'restore', file], target)
    expect(restored).toMatchObject({ code: 0, stdout: '' })
    expect(restored.stderr).toMatch(
      new RegExp(`^Restored docent-.*${engine}, schema \\d+\\):\n  accounts   1\n  servers    3\n`),
    )
    await using docent = await startDocent({ place: target, key })
    expect(await ask(docent, 'pumps', question)).toBe(answers[0])
    expect(await ask(docent, 'files', 'When was the reservoir cleaned?')).toBe(answers[1])
    // The interrupted crawl continues, which also needs new numbers for pages.
    const { sources } = await docent.untilDone('valves')
    expect(sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 61 })
    expect(await ask(docent, 'valves', 'At which pressure does valve number 41 open?')).toContain('130 bar')
  })

  test('needs --force to replace accounts, and replaces everything then', async () => {
    await using place = await makePlace(engine)
    await using other = await makePlace(engine)
    const open = ({ database }: Place) => openStore({ database, onError: () => {} })
    const add = async (where: Place, email: string) => {
      await using store = await open(where)
      await createAccount(store, { email, password: null, plan: 'free' })
    }
    const emails = async (where: Place) => {
      await using store = await open(where)
      return (await store.read.selectFrom('accounts').select('email').execute()).map(({ email }) => email)
    }
    await add(place, 'ada@example.test')
    await add(other, 'eve@example.test')
    const file = await backUp(place)
    const refused = await runOn(['backup', 'restore', file], other)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('replace everything there with --force')
    expect(await emails(other)).toEqual(['eve@example.test'])
    expect(await runOn(['backup', 'restore', file, '--force'], other)).toMatchObject({ code: 0 })
    expect(await emails(other)).toEqual(['ada@example.test'])
  })

  test('refuses to restore while the service runs', async () => {
    await using docent = await startDocent({ engine })
    const file = await backUp(docent.place)
    const { code, stderr } = await runOn(['backup', 'restore', file, '--force'], docent.place, { isSeparate: true })
    expect(code).toBe(1)
    expect(stderr).toMatch(/The service is running on|in use by another Docent/)
    expect((await docent.request('GET', '/healthz')).status).toBe(200)
    if (engine === 'sqlite') return
    // A node with another data folder.
    await using folder = await makePlace('sqlite')
    const elsewhere = await runOn(['backup', 'restore', file, '--force'], { ...docent.place, dataDir: folder.dataDir })
    expect(elsewhere.code).toBe(1)
    expect(elsewhere.stderr).toContain('Another process of Docent is connected to this database')
  })

  test('refuses a damaged backup, and changes nothing', async () => {
    await using place = await makePlace(engine)
    await using target = await makePlace(engine, { isEmpty: true })
    const { key } = await startAndStop(place)
    expect(key).toMatch(/^dk_live_/)
    const whole = await backUp(place)
    const bytes = readFileSync(whole)
    const folder = join(place.dataDir, 'backups')
    const damaged = (name: string) => join(folder, `docent-${name}.tar`)
    const flipped = Buffer.from(bytes)
    flipped[520] = (flipped[520] ?? 0) ^ 1
    writeFileSync(damaged('20200101T000000Z'), flipped)
    copyFileSync(whole, damaged('20200102T000000Z'))
    truncateSync(damaged('20200102T000000Z'), bytes.byteLength - 2_000)
    writeFileSync(damaged('20200103T000000Z'), 'no archive at all')
    const version = Buffer.from(bytes.toString('latin1').replace('"docent": "0', '"docent": "9'), 'latin1')
    writeFileSync(damaged('20200104T000000Z'), version)
    for (const name of readdirSync(folder).filter((one) => one.startsWith('docent-2020'))) {
      const { code, stderr } = await runOn(['backup', 'restore', join(folder, name)], target)
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining('The backup is damaged: ')])
      expect(stderr).not.toContain('    at ')
    }
    expect(existsSync(join(target.dataDir, 'docent.sqlite'))).toBe(false)

    const listed = await runOn(['backup', 'list', '--json'], place)
    expect(listed).toMatchObject({ code: 1, stderr: '' })
    const files = JSON.parse(listed.stdout) as { file: string; engine: string | null; problem: string | null }[]
    expect(files.map(({ problem }) => problem?.split(':')[0] ?? null)).toEqual([
      ...Array.from({ length: 4 }, () => 'The backup is damaged'),
      null,
    ])
    expect(files.at(-1)).toMatchObject({ engine, version: VERSION, bytes: bytes.byteLength })
    const table = await runOn(['backup', 'list'], place)
    expect(table.code).toBe(1)
    expect(table.stdout.match(/ damaged$/gm)).toHaveLength(4)
    expect(table.stdout.match(/ verified$/gm)).toHaveLength(1)
  })

  test('refuses to load a backup of a development schema, and to back up data of a newer schema', async () => {
    await using place = await makePlace(engine)
    const { database, dataDir } = place
    const path = join(dataDir, 'one.tar')
    const newer = join(dataDir, 'newer.tar')
    const options = { createdAt: new Date(), version: '0.0.1', key: null, signal: AbortSignal.timeout(20_000) }
    {
      await using store = await openStore({ database, onError: () => {} })
      await createAccount(store, { email: 'ada@example.test', password: null, plan: 'free' })
      const { target: schema } = await readSchemaState(store.read)
      expect(await createBackup(store, { ...options, path })).toMatchObject({ schema })
    }
    {
      await using place = await makePlace(engine, { isEmpty: true })
      await using target = await openStore({ database: place.database, onError: () => {}, migrates: false })
      const manifest = { ...(await verifyBackup(path)), schema: 17 }
      const loading = loadBackup(target, { path, manifest, signal: options.signal })
      await expect(loading).rejects.toThrow(
        'older development version of Docent (schema 17; this one reads 35 and newer)',
      )
      expect((await readTables(target.read)).size).toBe(0)
    }
    {
      await using store = await openStore({ database, onError: () => {} })
      await sql`update schema_version set version = 999`.execute(store.write)
      await expect(createBackup(store, { ...options, path: newer })).rejects.toThrow('schema 999')
    }
    expect(readdirSync(dataDir).filter((name) => name.startsWith('newer'))).toEqual([])
  })

  test.runIf(engine === 'postgres')('leaves the database unchanged if a backup fails to load', async () => {
    await using store = await makeStore(engine)
    await using folder = await makePlace('sqlite')
    const path = join(folder.dataDir, 'one.tar')
    await createAccount(store, { email: 'ada@example.test', password: null, plan: 'free' })
    const signal = AbortSignal.timeout(20_000)
    const manifest = await createBackup(store, { path, createdAt: new Date(), version: '1', key: null, signal })
    await createAccount(store, { email: 'eve@example.test', password: null, plan: 'free' })
    const loading = loadBackup(store, { path, manifest, signal: AbortSignal.abort(new Error('on purpose')) })
    await expect(loading).rejects.toThrow('on purpose')
    expect(await store.read.selectFrom('accounts').select('email').execute()).toHaveLength(2)
  })

  test('contains every table, or leaves it out on purpose', async () => {
    await using store = await makeStore(engine)
    const known = [...BACKED_UP_TABLES, ...OTHER_TABLES]
    expect([...(await readTables(store.read)).keys()].filter((name) => !known.includes(name))).toEqual([])
  })

  test('keeps values exactly', async () => {
    await using store = await makeStore(engine)
    await using folder = await makePlace('sqlite')
    const odd = 'Zeilen\n"quoted"\t😀 \\u0041 \u2028'
    await createAccount(store, { email: 'ada@example.test', password: null, plan: 'free' })
    await store.write
      .updateTable('accounts')
      .set({ name: odd, createdAt: 1_700_000_000_123, trialEndsAt: null })
      .execute()
    const path = join(folder.dataDir, 'one.tar')
    const signal = AbortSignal.timeout(20_000)
    const manifest = await createBackup(store, { path, createdAt: new Date(), version: '1', key: null, signal })
    expect(await verifyBackup(path)).toEqual(manifest)
    await using fresh = await openStore({
      database: { engine: 'sqlite', path: join(folder.dataDir, 'fresh.sqlite') },
      onError: () => {},
      migrates: false,
    })
    await loadBackup(fresh, { path, manifest, signal })
    const before = await store.read.selectFrom('accounts').selectAll().execute()
    expect(await fresh.read.selectFrom('accounts').selectAll().execute()).toEqual(before.map((row) => ({ ...row })))
  })
})

async function startAndStop(place: Place): Promise<{ key: string }> {
  await using docent = await startDocent({ place })
  return { key: docent.key }
}

test('replaces a damaged database with --force', async () => {
  await using place = await makePlace('sqlite')
  const { key } = await startAndStop(place)
  const file = await backUp(place)
  writeFileSync(join(place.dataDir, 'docent.sqlite'), 'no database '.repeat(1_000))
  expect(await runOn(['backup', 'restore', file], place)).toMatchObject({ code: 1 })
  expect(await runOn(['backup', 'restore', file, '--force'], place)).toMatchObject({ code: 0 })
  await using docent = await startDocent({ place, key })
  expect((await docent.request('GET', '/api/account/entitlements')).status).toBe(200)
})

test('says what is wrong when the database or the file of a backup does not exist, or the file does', async () => {
  await using place = await makePlace('sqlite', { isEmpty: true })
  expect((await runOn(['backup', 'create'], place)).stderr).toContain('There is no database of Docent in')
  expect((await runOn(['backup', 'restore', 'none.tar'], place)).stderr).toContain('There is no file')
  await startAndStop(place)
  const file = await backUp(place)
  const { code, stderr } = await runOn(['backup', 'create', '--to', file], place)
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is a file with this name already')])
  const nowhere = await runOn(['backup', 'create', '--to', join(place.dataDir, 'none', 'x.tar')], place)
  expect(nowhere.stderr).toContain('The backup cannot be written: ENOENT')
  expect(nowhere.stderr).not.toContain('    at ')
})

test('writes a backup into a new folder, and lists backups of any name', async () => {
  await using place = await makePlace('sqlite')
  await startAndStop(place)
  const folder = join(place.dataDir, 'new', 'folder')
  const dated = await backUp(place, '--to', `${folder}/`)
  expect(dated).toMatch(/\/new\/folder\/docent-[\dTZ]+\.tar$/)
  const named = await backUp(place, '--to', join(folder, 'mine.tar'))
  const listed = async (path: string) => {
    const { code, stdout } = await runOn(['backup', 'list', path, '--json'], place)
    return [code, (JSON.parse(stdout) as { file: string }[]).map(({ file }) => file).toSorted()]
  }
  expect(await listed(folder)).toEqual([0, [basename(dated), 'mine.tar']])
  expect(await listed(named)).toEqual([0, ['mine.tar']])
  const missing = await runOn(['backup', 'list', join(folder, 'none')], place)
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no file or folder') })
  const restored = await runOn(['backup', 'restore', folder], place)
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('is a folder. Give one of the backups') })
})
