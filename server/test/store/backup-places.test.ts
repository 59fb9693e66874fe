import { join } from 'node:path'
import { afterEach, beforeAll, afterAll, describe, expect, inject, test, vi } from 'vitest'
import type { Config } from '#config.ts'
import { listBackups } from '#backup/list-backups.ts'
import type { Store } from '#store/db.ts'
import { sweepObjects } from '#store/engine/blobs/delete-objects.ts'
import { openStore } from '#store/engine/open.ts'
import { packTexts } from '#store/pages/pack-texts.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { readSegment, writeSegment } from '#store/pages/segments.ts'
import { insertImported } from '#store/pages/texts.ts'
import { adoptUpload, insertUpload, insertUploadPart, readUploadOf } from '#store/sources/uploads.ts'
import { runOn } from '../support/database/back-up.ts'
import { type Engine, type Place, makePlace } from '../support/database/engines.ts'
import { filesIn } from '../support/database/folder-store.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { hasTestPackages } from '../support/mcp/test-packages.ts'
import { startDocent } from '../support/service/harness.ts'
import { startS3 } from '../support/sites/s3-server.ts'

type BlobPlace = Config['blobs']['place']

const ENGINES: Engine[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres']
const PLACES: BlobPlace[] = ['database', 'folder', 's3']
/** Each engine and place, restored into each of both. `npm test` has the bucket once. */
const PAIRS = PLACES.flatMap((place) =>
  ENGINES.flatMap((from) => ENGINES.flatMap((to) => PLACES.map((into) => ({ place, from, to, into })))),
).filter(({ place, from, to, into }) => {
  if (inject('isLong')) return true
  return from === 'sqlite' && to === ENGINES.at(-1) && place === 's3' && into === place
})

const PAGES = 30
const SEGMENT = Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7) & 255)
const UPLOAD = Uint8Array.from({ length: 300 }, (_, at) => (at * 3) & 255)
const textOf = (page: number) => `text ${page} `.repeat(20)

async function fill(store: Store): Promise<void> {
  await insertSource(store, { url: 'https://a.example.test/', type: 'docs' })
  const { accountId } = await store.read.selectFrom('servers').select('accountId').executeTakeFirstOrThrow()
  await writeSegment(store, { id: 'seg_1', sourceId: 'src_1', data: SEGMENT, format: 1 })
  await insertUpload(store.write, { id: 'upl_1', serverId: 'srv_1', fileName: 'a.md', createdAt: 1 })
  await insertUploadPart(store, { id: 'upl_1', accountId, part: 0 }, UPLOAD)
  await store.transaction((tx) =>
    adoptUpload(tx, { id: 'upl_1', sourceId: 'src_1', version: '', bytes: UPLOAD.byteLength }),
  )
  await store.transaction(async (tx) => {
    for (let page = 0; page < PAGES; page++)
      await insertImported(tx, 'src_1', {
        url: `https://a.example.test/${page}`,
        title: `Page ${page}`,
        anchorTexts: '[]',
        chunks: 1,
        updatedAt: 0,
        lastModified: null,
        text: {
          hash: `hash${page}`,
          markdown: Buffer.from(textOf(page)),
          outline: Buffer.from(`outline ${page}`),
          size: 10,
        },
      })
  })
  await packTexts(store, 'src_1', {})
}

async function expectAll(store: Store): Promise<void> {
  expect(await readSegment(store, 'seg_1')).toEqual(SEGMENT)
  expect((await readUploadOf(store, { sourceId: 'src_1', version: '' }))?.bytes).toEqual(UPLOAD)
  const texts: string[] = []
  for await (const some of pageTexts(store, 'src_1', { batch: 100 }))
    for (const { markdown } of some) texts.push(Buffer.from(markdown).toString())
  expect(texts).toEqual(Array.from({ length: PAGES }, (_, page) => textOf(page)))
}

/** Objects outside of the database to which its rows refer. */
async function countObjects({ read }: Store): Promise<number> {
  const counts = await Promise.all(
    (['segmentParts', 'uploadParts', 'textPacks'] as const).map((table) =>
      read.selectFrom(table).select('object').where('object', 'is not', null).execute(),
    ),
  )
  return counts.flat().length
}

describe.skipIf(!hasTestPackages('backups in a bucket'))('backups and the places of bytes', () => {
  let s3: Awaited<ReturnType<typeof startS3>>
  beforeAll(async () => (s3 = await startS3()))
  afterAll(() => s3?.[Symbol.asyncDispose]())
  afterEach(() => {
    s3.faultOf = () => null
    vi.restoreAllMocks()
  })

  const environmentOf = (place: BlobPlace) => ({ ...s3.environment, DOCENT_BLOBS: place })
  const openAt = ({ database, dataDir }: Place, place: BlobPlace) =>
    openStore({
      database,
      onError: () => {},
      blobs: { place, folder: join(dataDir, 'blobs'), s3: s3.settings, cacheMb: 0 },
    })
  /** A stopped instance with bytes at a place. */
  async function makeFilled(engine: Engine, place: BlobPlace) {
    const at = await makePlace(engine)
    await using store = await openAt(at, place)
    await fill(store)
    return at
  }
  const backUpTo = (folder: string, at: Place, place: BlobPlace) =>
    runOn(['backup', 'create', '--to', folder], at, { environment: environmentOf(place) })

  test.each(PAIRS)('restores bytes in $place on $from into $into on $to', async ({ place, from, to, into }) => {
    await using at = await makeFilled(from, place)
    const folder = `s3:matrix/${place}-${from}-${to}-${into}`
    const made = await backUpTo(folder, at, place)
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^s3:matrix\/\S+\/docent-[\dTZ]+-\w+\n$/) })
    await using target = await makePlace(to, { isEmpty: true })
    const environment = environmentOf(into)
    const restored = await runOn(['backup', 'restore', made.stdout.trim()], target, { environment })
    expect([restored.code, restored.stderr]).toEqual([0, expect.stringMatching(/pages +30\n/)])
    await using store = await openAt(target, into)
    expect(await countObjects(store)).toBe(0)
    await expectAll(store)
    expect(await runOn(['blobs', 'move', '--to', into], target, { environment })).toMatchObject({ code: 0 })
    expect(await countObjects(store)).toBe(into === 'database' ? 0 : 3)
    await expectAll(store)
  })

  test('lists, verifies and restores backups of a bucket beside those of a folder', async () => {
    await using at = await makeFilled('sqlite', 's3')
    const environment = { ...environmentOf('s3'), DOCENT_BACKUP_DIR: 's3:lists' }
    const run = (...args: string[]) => runOn(args, at, { environment })
    expect((await run('backup', 'list')).stderr).toContain('There are no backups in s3:lists')
    const [first, second] = [await run('backup', 'create'), await run('backup', 'create')]
    expect([first.code, second.code]).toEqual([0, 0])
    expect(second.stdout).not.toBe(first.stdout)
    const address = first.stdout.trim()
    const wrong = { left: 2 }
    s3.faultOf = ({ method, path }) =>
      method === 'GET' && path.includes('/lists/') && --wrong.left === 0 ? 'wrong byte' : null
    const listed = JSON.parse((await run('backup', 'list', '--json')).stdout) as object[]
    expect(wrong.left).toBeLessThan(0)
    expect(listed).toMatchObject([
      { file: expect.stringMatching(/^docent-/), engine: 'sqlite', problem: null },
      { problem: null },
    ])
    const onDisk = await run('backup', 'create', '--to', join(at.dataDir, 'one.tar'))
    expect(onDisk).toMatchObject({ code: 0, stdout: `${join(at.dataDir, 'one.tar')}\n` })
    // Every byte that arrives of one object is wrong.
    s3.faultOf = ({ path }) => (/~pages~/.test(decodeURIComponent(path)) ? 'wrong byte' : null)
    const damaged = await run('backup', 'restore', address, '--force')
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('The backup is damaged: tables/pages/')])
    s3.faultOf = () => null
    expect((await run('backup', 'restore', 's3:lists/none')).stderr).toContain('it has no table of contents')
    expect(await run('backup', 'restore', address, '--force')).toMatchObject({ code: 0 })
  })

  test('leaves nothing of a backup that failed, and deletes after a day what a crash left', async () => {
    await using at = await makeFilled('sqlite', 'database')
    const objects = () => s3.objects().filter((path) => path.includes('/failed/'))
    const failAt = (count: number, methods: readonly string[]) => {
      let left = count
      s3.faultOf = ({ method }) => (methods.includes(method) && left-- <= 0 ? 403 : null)
    }
    failAt(3, ['PUT'])
    const failed = await backUpTo('s3:failed', at, 'database')
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The object storage refuses')])
    expect(objects()).toEqual([])
    // As after a crash: what was written cannot be deleted either.
    failAt(3, ['PUT', 'DELETE'])
    await backUpTo('s3:failed', at, 'database')
    s3.faultOf = () => null
    expect(await listBackups('s3:failed', s3.settings)).toEqual([])
    const whole = await backUpTo('s3:failed', at, 'database')
    const left = objects().filter((path) => !path.includes(whole.stdout.trim().slice('s3:'.length)))
    expect(left).not.toHaveLength(0)
    const day = Date.now() + 24 * 3600 * 1000 + 60_000
    vi.spyOn(Date, 'now').mockReturnValue(day)
    await backUpTo('s3:failed', at, 'database')
    vi.restoreAllMocks()
    expect(objects().filter((path) => left.includes(path))).toEqual([])
    expect(await listBackups('s3:failed', s3.settings)).toHaveLength(2)
  })

  test.each(inject('isLong') ? ENGINES : ENGINES.slice(-1))(
    'the objects of data that a restore replaces are swept, on %s',
    async (engine) => {
      await using at = await makeFilled(engine, 'folder')
      const folder = join(at.dataDir, 'blobs')
      const made = await backUpTo('s3:replaced', at, 'folder')
      expect(filesIn(folder)).toHaveLength(3)
      const environment = environmentOf('folder')
      const restored = await runOn(['backup', 'restore', made.stdout.trim(), '--force'], at, { environment })
      expect(restored.code).toBe(0)
      await using store = await openAt(at, 'folder')
      await expectAll(store)
      await sweepObjects(store, Date.now() + 60_000)
      expect(filesIn(folder)).toEqual([])
      await expectAll(store)
    },
  )

  test('a running service writes a backup to the bucket', async () => {
    const environment = { ...environmentOf('database'), DOCENT_BACKUP_DIR: 's3:service' }
    await using docent = await startDocent({ engine: 'sqlite', environment })
    const begun = await docent.request('POST', '/api/instance/backups')
    expect(begun.body).toMatchObject({ isComplete: false, bytes: 0 })
    const list = async () => (await docent.request('GET', '/api/instance/backups')).body
    await expect.poll(list).toMatchObject({ folder: 's3:service', backups: [{ isComplete: true }], lastError: null })
    const [{ name, bytes }] = (await list()).backups
    expect([name, bytes > 1_000]).toEqual([begun.body.name, true])
  })

  test('says that a bucket is missing in the settings', async () => {
    await using at = await makeFilled('sqlite', 'database')
    for (const args of [
      ['backup', 'create', '--to', 's3:'],
      ['backup', 'list', 's3:'],
      ['backup', 'restore', 's3:x'],
    ]) {
      const { code, stderr } = await runOn(args, at)
      expect([code, stderr]).toEqual([1, expect.stringContaining('Backups in a bucket need DOCENT_S3_BUCKET.')])
    }
  })
})
