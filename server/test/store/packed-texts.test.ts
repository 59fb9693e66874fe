import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBackup } from '#backup/create-backup.ts'
import { loadBackup, verifyBackup } from '#backup/read-backup.ts'
import { moveBlobs } from '#store/pages/move-blobs.ts'
import type { Store } from '#store/db.ts'
import { openStore } from '#store/engine/open.ts'
import { packTexts, sweepTexts } from '#store/pages/pack-texts.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { sizeOfSource } from '#store/pages/page-report.ts'
import { readTexts } from '#store/pages/segments.ts'
import { deleteOrphanTexts, insertImported, insertText, sizeOfPage } from '#store/pages/texts.ts'
import { deleteSourceRows } from '#store/sources/remove-source.ts'
import { makePlace, onBothEngines, repeatsOn } from '../support/database/engines.ts'
import { filesIn, makeFolderStore, openIn } from '../support/database/folder-store.ts'

const PAGES = 1_005
const textOf = (page: number) => Buffer.from(`text ${page} `.repeat(page === 7 ? 30_000 : 20))
const outlineOf = (page: number) => Buffer.from(`outline ${page}`)
const urlOf = (page: number) => `https://a.example.test/${page}`
const newText = (page: number) => {
  return { hash: `hash${page}`, markdown: textOf(page), outline: outlineOf(page), size: 10 }
}

const addPage = (store: Store, page: number) =>
  store.transaction((tx) =>
    insertImported(tx, 'src_1', {
      url: urlOf(page),
      title: `Page ${page}`,
      anchorTexts: '[]',
      chunks: 1,
      updatedAt: 0,
      lastModified: null,
      text: newText(page),
    }),
  )

async function addPages(store: Store, from: number, to: number) {
  await store.transaction(async (tx) => {
    for (let page = from; page < to; page++)
      await insertImported(tx, 'src_1', {
        url: urlOf(page),
        title: `Page ${page}`,
        anchorTexts: '[]',
        chunks: 1,
        updatedAt: 0,
        lastModified: null,
        text: newText(page),
      })
  })
}

/** Removes pages, and their texts as a publication does. */
async function removePages(store: Store, pages: readonly number[]) {
  await store.write.deleteFrom('pages').where('url', 'in', pages.map(urlOf)).execute()
  await store.transaction((tx) => deleteOrphanTexts(tx, 'src_1'))
}

/** Fails unless exactly these pages have their texts, for searches and for building indexes. */
async function expectTexts(store: Store, pages: readonly number[]) {
  const listed: string[] = []
  for await (const some of pageTexts(store, 'src_1', { batch: 300 }))
    for (const { url, markdown, outline } of some) {
      const page = Number(url.split('/').at(-1))
      if (!textOf(page).equals(markdown) || !outlineOf(page).equals(outline)) throw new Error(`Another text of ${url}`)
      listed.push(url)
    }
  expect(listed).toEqual(pages.map(urlOf))
  const asked = [pages.at(0), pages.at(-1)].filter((page) => page !== undefined)
  const found = await readTexts(store, 'src_1', [...asked.map((page) => `hash${page}`), 'hash of none'])
  expect(new Map([...found].map(([hash, text]) => [hash, Buffer.from(text).toString()]))).toEqual(
    new Map(asked.map((page) => [`hash${page}`, textOf(page).toString()])),
  )
}

const count = async (store: Store, table: 'texts' | 'packedTexts' | 'textPacks') =>
  (await store.read.selectFrom(table).select('sourceId').execute()).length
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
/** Whether a file has the text of a page. */
const isStored = (folder: string, page: number) =>
  filesIn(folder).some((file) => readFileSync(file).includes(` text ${page} text ${page}`))

onBothEngines('texts of pages with a folder for bytes', (engine) => {
  /** Cases whose queries the others send too. */
  const testOnce = test.runIf(repeatsOn(engine))

  test('move into packs of up to 1,000 texts, and leave the folder with their pages and source', async () => {
    await using at = await makeFolderStore(engine)
    const { store, folder } = at
    await addPages(store, 0, PAGES)
    const size = await sizeOfSource(store.read, 'src_1')
    await packTexts(store, 'src_1', {})
    expect(await count(store, 'texts')).toBe(0)
    expect(await count(store, 'packedTexts')).toBe(PAGES)
    expect(filesIn(folder)).toHaveLength(2)
    expect(filesIn(folder)[0]).toContain(`/${at.accountId}/src_1/`)
    await expectTexts(store, range(0, PAGES))
    expect(await sizeOfSource(store.read, 'src_1')).toEqual(size)
    const { id } = await store.read
      .selectFrom('pages')
      .select('id')
      .where('url', '=', urlOf(3))
      .executeTakeFirstOrThrow()
    expect(await sizeOfPage(store.read, id)).toBe(10)
    // Small packs are merged when there are new texts.
    await addPages(store, PAGES, PAGES + 1)
    await packTexts(store, 'src_1', {})
    await expectTexts(store, range(0, PAGES + 1))
    expect(await count(store, 'textPacks')).toBe(2)
    // A few removed texts wait for the sweep, which comes within a day.
    await removePages(store, [5, 6])
    await packTexts(store, 'src_1', {})
    expect(isStored(folder, 5)).toBe(true)
    await sweepTexts(store)
    expect(isStored(folder, 5)).toBe(false)
    expect(isStored(folder, 4)).toBe(true)
    await expectTexts(
      store,
      range(0, PAGES + 1).filter((page) => page !== 5 && page !== 6),
    )
    // Nothing to do.
    const before = filesIn(folder)
    await sweepTexts(store)
    expect(filesIn(folder)).toEqual(before)
    await removePages(store, range(0, 900))
    await packTexts(store, 'src_1', {})
    expect(isStored(folder, 899)).toBe(false)
    await expectTexts(store, range(900, PAGES + 1))
    await deleteSourceRows(store, 'src_1')
    expect(filesIn(folder)).toEqual([])
  })

  test('stay in the table if the pack has no row, and are read from a pack while another replaces it', async () => {
    await using at = await makeFolderStore(engine)
    const { store, folder } = at
    await addPages(store, 0, 20)
    const transaction: Store['transaction'] = () => Promise.reject(new Error('The process stopped'))
    await expect(packTexts({ ...store, transaction }, 'src_1', {})).rejects.toThrow('stopped')
    expect(filesIn(folder)).toEqual([])
    await expectTexts(store, range(0, 20))
    await packTexts(store, 'src_1', {})
    // A text that came back before its old one was deleted.
    await store.transaction((tx) => insertText(tx, 'src_1', newText(3)))
    expect((await sizeOfSource(store.read, 'src_1')).textBytes).toBe(200)
    await removePages(store, [1])
    let isReplaced = false
    const blobs: Store['blobs'] = {
      ...store.blobs,
      async read(...given) {
        if (!isReplaced) {
          isReplaced = true
          await sweepTexts(store)
        }
        return store.blobs.read(...given)
      },
    }
    await expectTexts(
      { ...store, blobs },
      range(0, 20).filter((page) => page !== 1),
    )
    expect(isReplaced).toBe(true)
    isReplaced = false
    expect((await readTexts({ ...store, blobs }, 'src_1', ['hash2'])).get('hash2')).toEqual(new Uint8Array(textOf(2)))
    expect(await count(store, 'texts')).toBe(0)
    expect(filesIn(folder)).toHaveLength(1)
  })

  test('move between the database and the folder with all other bytes', async () => {
    await using at = await makeFolderStore(engine)
    const { store, folder } = at
    await addPages(store, 0, 30)
    const { signal } = new AbortController()
    let moved = 0
    const onMoved = () => moved++
    await moveBlobs(store, { to: 'folder', signal, onMoved })
    expect(moved).toBe(1)
    expect(await count(store, 'texts')).toBe(0)
    await expectTexts(store, range(0, 30))
    await moveBlobs(store, { to: 'folder', signal, onMoved })
    expect(moved).toBe(1)
    await moveBlobs(store, { to: 'database', signal, onMoved })
    expect(moved).toBe(2)
    expect([await count(store, 'texts'), await count(store, 'textPacks')]).toEqual([30, 0])
    expect(filesIn(folder)).toEqual([])
    await expectTexts(store, range(0, 30))
  })

  test('are in a backup as rows, also those whose pack was replaced while it was written', async () => {
    await using at = await makeFolderStore(engine)
    const { store } = at
    await addPages(store, 0, 30)
    await packTexts(store, 'src_1', {})
    await removePages(store, [1])
    await addPage(store, 30)
    await using other = await openIn(at.place, at.folder)
    const path = join(at.place.dataDir, 'backup.tar')
    const { signal } = new AbortController()
    let isReplaced = false
    const blobs: Store['blobs'] = {
      ...store.blobs,
      async read(...given) {
        if (!isReplaced) {
          isReplaced = true
          await packTexts(other, 'src_1', { mostGone: 0 })
        }
        return store.blobs.read(...given)
      },
    }
    await createBackup({ ...store, blobs }, { path, createdAt: new Date(), version: '1', key: null, signal })
    expect(isReplaced).toBe(true)
    const manifest = await verifyBackup(path)
    await using place = await makePlace(engine, { isEmpty: true })
    await using target = await openStore({ database: place.database, onError: () => {}, migrates: false })
    await loadBackup(target, { path, manifest, signal })
    expect([await count(target, 'texts'), await count(target, 'textPacks')]).toEqual([30, 0])
    await expectTexts(
      target,
      range(0, 31).filter((page) => page !== 1),
    )
  })

  testOnce('are compared with their rows', async () => {
    await using at = await makeFolderStore(engine)
    await addPages(at.store, 0, 3)
    await packTexts(at.store, 'src_1', {})
    const [file = ''] = filesIn(at.folder)
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(2) ^ 1, 2)
    writeFileSync(file, bytes)
    expect((await readTexts(at.store, 'src_1', ['hash2'])).get('hash2')).toEqual(new Uint8Array(textOf(2)))
    await expect(readTexts(at.store, 'src_1', ['hash0'])).rejects.toThrow('is damaged')
    await expect(expectTexts(at.store, [0])).rejects.toThrow('is damaged')
    rmSync(file)
    expect(await readTexts(at.store, 'src_1', ['hash2'])).toEqual(new Map())
  })

  testOnce('go back to the database from packs that lost some, if the setting says so', async () => {
    await using at = await makeFolderStore(engine)
    await addPages(at.store, 0, 30)
    await packTexts(at.store, 'src_1', {})
    await removePages(at.store, [1])
    const blobs: Store['blobs'] = { ...at.store.blobs, place: 'database' }
    await sweepTexts({ ...at.store, blobs })
    expect(filesIn(at.folder)).toEqual([])
    await expectTexts(
      at.store,
      range(0, 30).filter((page) => page !== 1),
    )
  })
})
