import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createBackup } from '#backup/create-backup.ts'
import { loadBackup, verifyBackup } from '#backup/read-backup.ts'
import { moveBlobs } from '#store/pages/move-blobs.ts'
import { deleteUnusedObjects, sweepObjects } from '#store/engine/blobs/delete-objects.ts'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { deleteOtherSegments, readSegment, writeSegment } from '#store/pages/segments.ts'
import { deleteSourceRows } from '#store/sources/remove-source.ts'
import { adoptUpload, insertUpload, insertUploadPart, readUploadOf } from '#store/sources/uploads.ts'
import { makePlace, onBothEngines, onSqliteAtLeast, repeatsOn } from '../support/database/engines.ts'
import { NO_BUCKET, filesIn, makeFolderStore, openIn } from '../support/database/folder-store.ts'
import { startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const DAY_MS = 24 * 3600 * 1000
/** More than one object has. */
const large = () => new Uint8Array(Buffer.alloc(8_000_001, 'abcdefghijklm'))
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255)

/** `toEqual` takes seconds for megabytes. */
const isStored = async (store: Store, id: string, data: Uint8Array) =>
  Buffer.from((await readSegment(store, id)) ?? []).equals(data)

const segment = (id: string, data: Uint8Array) => ({ id, sourceId: 'src_1', data, format: 1 })

async function addUpload(store: Store, accountId: string, parts: Uint8Array[]) {
  await insertUpload(store.write, { id: 'upl_1', serverId: 'srv_1', fileName: 'a.md', createdAt: 1 })
  for (const [part, data] of parts.entries()) await insertUploadPart(store, { id: 'upl_1', accountId, part }, data)
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0)
  await store.transaction((tx) => adoptUpload(tx, { id: 'upl_1', sourceId: 'src_1', version: '', bytes }))
}

onBothEngines('bytes in a folder', (engine) => {
  /** Cases whose queries the others send too. */
  const testOnce = test.runIf(repeatsOn(engine))

  testOnce('are addressed by account and SHA-256, and the database has none of them', async () => {
    await using at = await makeFolderStore(engine)
    // Two objects, of 8 MB at most.
    const data = large()
    await writeSegment(at.store, segment('seg_1', data))
    await addUpload(at.store, at.accountId, [bytesOf(100), bytesOf(7)])
    expect(await isStored(at.store, 'seg_1', data)).toBe(true)
    expect(await readUploadOf(at.store, { sourceId: 'src_1', version: '' })).toEqual({
      fileName: 'a.md',
      bytes: Uint8Array.from([...bytesOf(100), ...bytesOf(7)]),
    })
    const files = filesIn(at.folder)
    expect(files.map((file) => statSync(file).size).toSorted((a, b) => a - b)).toEqual([1, 7, 100, 8_000_000])
    for (const file of files) {
      expect(file).toMatch(new RegExp(`/docent_\\w{12}/${at.accountId}/(src_1|upl_1)/[\\da-f]{64}\\.\\w{12}$`))
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    for (const table of ['segmentParts', 'uploadParts'] as const) {
      const rows = await at.store.read.selectFrom(table).select('data').execute()
      expect(rows.map(({ data: { byteLength } }) => byteLength)).toEqual([0, 0])
    }
  })

  test('are deleted with their rows, also by a cascade, and by the next run after an interruption', async () => {
    await using at = await makeFolderStore(engine)
    for (const id of ['seg_1', 'seg_2']) await writeSegment(at.store, segment(id, bytesOf(50)))
    await addUpload(at.store, at.accountId, [bytesOf(100)])
    expect(filesIn(at.folder)).toHaveLength(3)
    while (await at.store.transaction((tx) => deleteOtherSegments(tx, 'src_1', ['seg_2'])));
    // Interrupted between the transaction and the deletion of the objects.
    expect(filesIn(at.folder)).toHaveLength(3)
    await using restarted = await openIn(at.place, at.folder)
    await deleteUnusedObjects(restarted)
    expect(filesIn(at.folder)).toHaveLength(2)
    expect(await readSegment(at.store, 'seg_2')).toEqual(bytesOf(50))
    await at.store.write.deleteFrom('sources').execute()
    await deleteUnusedObjects(at.store)
    expect(filesIn(at.folder)).toEqual([])
  })

  testOnce('are deleted in the step that removes their source', async () => {
    await using at = await makeFolderStore(engine)
    await writeSegment(at.store, segment('seg_1', bytesOf(50)))
    await addUpload(at.store, at.accountId, [bytesOf(100)])
    await deleteSourceRows(at.store, 'src_1')
    expect(filesIn(at.folder)).toEqual([])
  })

  testOnce('are not left by a write whose source was removed meanwhile', async () => {
    await using at = await makeFolderStore(engine)
    const { save } = at.store.blobs
    const blobs: Store['blobs'] = {
      ...at.store.blobs,
      async save(...given) {
        const saved = await save(...given)
        await at.store.write.deleteFrom('sources').execute()
        return saved
      },
    }
    await expect(writeSegment({ ...at.store, blobs }, segment('seg_1', bytesOf(50)))).rejects.toThrow()
    expect(filesIn(at.folder)).toEqual([])
  })

  test('are swept after a day if no row refers to them, and only those of this database', async () => {
    await using at = await makeFolderStore(engine)
    await writeSegment(at.store, segment('seg_1', bytesOf(50)))
    await addUpload(at.store, at.accountId, [bytesOf(100)])
    const kept = filesIn(at.folder)
    const folder = dirname(kept[0] ?? '')
    const [old, recent] = [join(folder, 'old'), join(folder, 'recent.unfinished')]
    const foreign = join(at.folder, 'docent_other', 'acc', 'src', 'old')
    mkdirSync(dirname(foreign), { recursive: true })
    const time = (Date.now() - DAY_MS) / 1000
    for (const [path, seconds] of [
      [old, time - 60],
      [recent, time + 60],
      [foreign, time - 60],
    ] as const) {
      writeFileSync(path, 'left by a crash')
      utimesSync(path, seconds, seconds)
    }
    for (const path of kept) utimesSync(path, time - 60, time - 60)
    await sweepObjects(at.store, Date.now() - DAY_MS)
    expect(filesIn(at.folder).toSorted()).toEqual([...kept, recent, foreign].toSorted())
  })

  testOnce('are read from where their row says, also after a change of the setting', async () => {
    await using at = await makeFolderStore(engine)
    await writeSegment(at.store, segment('seg_1', bytesOf(50)))
    const blobs = { ...NO_BUCKET, place: 'database', folder: at.folder } as const
    await using other = await openStore({ database: at.place.database, onError: () => {}, blobs })
    await writeSegment(other, segment('seg_2', bytesOf(60)))
    expect(filesIn(at.folder)).toHaveLength(1)
    for (const store of [at.store, other]) {
      expect(await readSegment(store, 'seg_1')).toEqual(bytesOf(50))
      expect(await readSegment(store, 'seg_2')).toEqual(bytesOf(60))
    }
    await using without = await openStore({ database: at.place.database, onError: () => {} })
    await expect(readSegment(without, 'seg_1')).rejects.toThrow('which the settings do not name')
  })

  test('move between the database and the folder, also after an interruption', async () => {
    await using at = await makeFolderStore(engine)
    const segments = new Map([
      ['seg_1', large()],
      ['seg_2', bytesOf(60)],
    ])
    for (const [id, data] of segments) await writeSegment(at.store, segment(id, data))
    await addUpload(at.store, at.accountId, [bytesOf(100)])
    const check = async () => {
      for (const [id, data] of segments) expect(await isStored(at.store, id, data)).toBe(true)
      expect((await readUploadOf(at.store, { sourceId: 'src_1', version: '' }))?.bytes).toEqual(bytesOf(100))
    }
    let moved = 0
    const stop = new AbortController()
    const interrupt = () => void (++moved === 2 && stop.abort())
    await expect(moveBlobs(at.store, { to: 'database', signal: stop.signal, onMoved: interrupt })).rejects.toThrow()
    await check()
    const { signal } = new AbortController()
    await moveBlobs(at.store, { to: 'database', signal, onMoved: () => moved++ })
    expect(moved).toBe(4)
    expect(filesIn(at.folder)).toEqual([])
    await check()
    await moveBlobs(at.store, { to: 'folder', signal, onMoved: () => moved++ })
    await moveBlobs(at.store, { to: 'folder', signal, onMoved: () => moved++ })
    expect(moved).toBe(8)
    expect(filesIn(at.folder)).toHaveLength(4)
    await check()
  })

  testOnce('are not moved if their row is deleted meanwhile', async () => {
    await using at = await makeFolderStore(engine)
    await writeSegment(at.store, segment('seg_1', bytesOf(50)))
    const { read } = at.store.blobs
    const blobs: Store['blobs'] = {
      ...at.store.blobs,
      async read(...given) {
        const isFound = await read(...given)
        await at.store.write.deleteFrom('segments').execute()
        return isFound
      },
    }
    let moved = 0
    const moving = { to: 'database', signal: new AbortController().signal, onMoved: () => moved++ } as const
    await moveBlobs({ ...at.store, blobs }, moving)
    expect(moved).toBe(0)
    expect(filesIn(at.folder)).toEqual([])
    expect(await readSegment(at.store, 'seg_1')).toBeNull()
  })

  test('are in a backup, which can be restored into a database', async () => {
    await using at = await makeFolderStore(engine)
    await writeSegment(at.store, segment('seg_1', bytesOf(50)))
    await writeSegment(at.store, segment('seg_gone', bytesOf(60)))
    await addUpload(at.store, at.accountId, [bytesOf(100)])
    // As if a new version replaced it while the backup is written.
    for (const file of filesIn(at.folder)) if (statSync(file).size === 60) rmSync(file)
    const path = join(at.place.dataDir, 'backup.tar')
    const signal = new AbortController().signal
    await createBackup(at.store, { path, createdAt: new Date(), version: '1', key: null, signal })
    const manifest = await verifyBackup(path)
    await using place = await makePlace(engine, { isEmpty: true })
    await using target = await openStore({ database: place.database, onError: () => {}, migrates: false })
    await loadBackup(target, { path, manifest, signal })
    expect(await readSegment(target, 'seg_1')).toEqual(bytesOf(50))
    expect((await readUploadOf(target, { sourceId: 'src_1', version: '' }))?.bytes).toEqual(bytesOf(100))
    const formats = await target.read.selectFrom('segments').select(['id', 'format']).orderBy('id').execute()
    // The service builds segments of format 0 from the texts.
    expect(formats).toEqual([
      { id: 'seg_1', format: 1 },
      { id: 'seg_gone', format: 0 },
    ])
  })
})

test('a damaged file in the folder is not read', async () => {
  await using at = await makeFolderStore('sqlite')
  await writeSegment(at.store, segment('seg_1', bytesOf(50)))
  const [file = ''] = filesIn(at.folder)
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(7) ^ 1, 7)
  writeFileSync(file, bytes)
  await expect(readSegment(at.store, 'seg_1')).rejects.toThrow('is damaged')
  renameSync(file, `${file}.away`)
  expect(await readSegment(at.store, 'seg_1')).toBeNull()
})

test('a write that fails leaves no file and no part', async () => {
  await using at = await makeFolderStore('sqlite')
  const folder = join(at.folder, 'a file')
  mkdirSync(at.folder, { recursive: true })
  writeFileSync(folder, '')
  await using store = await openIn(at.place, folder)
  await expect(writeSegment(store, segment('seg_1', bytesOf(50)))).rejects.toThrow('ENOTDIR')
  expect(filesIn(at.folder)).toEqual([folder])
  expect(await readSegment(store, 'seg_1')).toBeNull()
})

onSqliteAtLeast('a service whose bytes are in a folder', (engine) => {
  test('indexes, answers, reads uploads, and keeps nothing of a deleted server', async () => {
    await using site = await startSite({ '/': page('Pumps', 'Pumps are started with the green button.') })
    await using docent = await startDocent({ engine, environment: { DOCENT_BLOBS: 'folder' } })
    const folder = join(docent.place.dataDir, 'blobs')
    const { slug } = await docent.createServer({
      name: 'Pumps',
      sources: [{ url: `${site.url}/` }],
      uploads: ['notes.md'],
    })
    const notes = new Uint8Array(Buffer.from('# Reservoir\n\nThe reservoir was cleaned in April.'))
    await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=notes.md&file=notes.md`, notes)
    await docent.untilDone(slug)
    const texts = await docent.inStore(({ read }) => read.selectFrom('texts').select('hash').execute())
    expect(texts).toEqual([])
    const ask = async (question: string) =>
      (await docent.callTool(slug, 'ask_question', { question })).result.content[0].text as string
    expect(await ask('How are pumps started?')).toContain('green button')
    expect(await ask('When was the reservoir cleaned?')).toContain('April')
    const rows = await docent.inStore(({ read }) =>
      read.selectFrom('segmentParts').select(['object', 'data']).execute(),
    )
    expect(rows.every(({ object, data }) => object?.startsWith('folder:') && data.byteLength === 0)).toBe(true)
    expect(filesIn(folder)).not.toHaveLength(0)
    const { sources } = (await docent.request('GET', `/api/mcp/${slug}`)).body
    for (const { id: sourceId } of sources) {
      const removed = await docent.request('DELETE', `/api/mcp/${slug}/sources`, { sourceId })
      expect(removed.status).toBe(200)
    }
    expect(filesIn(folder)).toEqual([])
  })
})
