import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { makeStore } from '../support/database/engines.ts'
import { fillDisk, mountSmall, unmount } from '../support/lib/small-disk.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const SEARCHES = 40
const MEGABYTES = 6

/** True where file systems can be mounted: a real full disk is more reliable than a mock. */
const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-mount-'))
  const isMounted = mountSmall(folder, MEGABYTES)
  if (isMounted) unmount(folder)
  rmdirSync(folder)
  return isMounted
})()

describe.skipIf(!canMount)('service on SQLite with a full disk', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docent-full-'))
    mountSmall(folder, MEGABYTES)
  })
  afterEach(() => {
    execFileSync('umount', [folder])
    rmdirSync(folder)
  })
  const placeIn = (dataDir: string) => ({
    database: { engine: 'sqlite' as const, path: join(dataDir, 'docent.sqlite') },
    dataDir,
    [Symbol.asyncDispose]: async () => {},
  })

  test('answers reads, refuses writes with 503, and recovers when there is room', async () => {
    await using site = await startSite({
      '/': page('Quokka', 'The quokka is small and smiles. It lives on an island.'),
    })
    await using docent = await startDocent({ place: placeIn(folder), plan: 'free' })
    await docent.request('POST', '/api/mcp/create', { name: 'Small', sources: [{ url: `${site.url}/` }] })
    await docent.untilDone('small')
    const search = async () => {
      const { result } = await docent.callTool('small', 'search_docs', { query: 'quokka' })
      return resultsIn(result).length
    }
    const rename = (name: string) => docent.request('PATCH', '/api/mcp/small', { name })
    const before = await callsOf(docent)

    const free = fillDisk(folder)
    let refused = await rename('Renamed 0')
    // The write-ahead log may have free space left.
    for (let n = 1; refused.status === 200 && n < 2_000; n++) refused = await rename(`Renamed ${n}`)
    expect(refused).toMatchObject({ status: 503, body: { error: 'store_unavailable' } })
    expect(refused.body.message).toContain('the disk of this instance is full')
    expect(refused.headers.get('retry-after')).toBe('5')
    for (let n = 0; n < SEARCHES; n++) expect(await search()).toBe(1)
    expect((await docent.request('GET', '/api/mcp/small')).status).toBe(200)
    expect((await docent.request('GET', '/readyz')).status).toBe(200)
    expect((await docent.request('POST', '/api/mcp/crawl', { serverId: 'small' })).status).toBe(503)

    free()
    expect((await rename('After all')).status).toBe(200)
    await expect.poll(async () => (await callsOf(docent)) - before).toBe(SEARCHES)
    expect((await docent.request('POST', '/api/mcp/crawl', { serverId: 'small' })).status).toBe(200)
    expect((await docent.untilDone('small')).sources[0]).toMatchObject({ crawlStatus: 'complete' })
  })

  test('exits with one sentence at the first start, and starts when there is room', async () => {
    const free = fillDisk(folder)
    await expect(startDocent({ place: placeIn(folder) })).rejects.toThrow(
      /^The database file cannot be opened: .+full\)$/,
    )
    free()
    await using docent = await startDocent({ place: placeIn(folder) })
    expect((await docent.request('GET', '/api/mcp/list')).body).toEqual([])
  })

  test.each(['full', 'read-only'])(
    'starts on a %s disk, answers reads, and says at /readyz what it lacks',
    async (how) => {
      await using site = await startSite({ '/': page('Quokka', 'The quokka is small and smiles.') })
      const place = placeIn(folder)
      let key = ''
      {
        await using docent = await startDocent({ place })
        ;({ key } = docent)
        await docent.createServer({ name: 'Small', sources: [{ url: `${site.url}/` }] })
      }
      const remount = (as: string) => execFileSync('mount', ['-o', `remount,${as}`, folder])
      const free = how === 'full' ? fillDisk(folder) : (remount('ro'), () => remount('rw'))
      {
        await using docent = await startDocent({ place, key })
        expect(await docent.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'read-only' } })
        const { result } = await docent.callTool('small', 'search_docs', { query: 'quokka' })
        expect(resultsIn(result)).toHaveLength(1)
        expect(await docent.request('GET', '/api/mcp/small')).toMatchObject({ status: 200, body: { name: 'Small' } })
        expect(await docent.request('PATCH', '/api/mcp/small', { name: 'Renamed' })).toMatchObject({
          status: 503,
          body: { error: 'store_unavailable', message: expect.stringContaining('takes no changes') },
        })
      }
      free()
      await using docent = await startDocent({ place, key })
      expect(await docent.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
      expect((await docent.request('PATCH', '/api/mcp/small', { name: 'Renamed' })).status).toBe(200)
    },
  )

  test('starts on a read-only disk with the changes of a log that no process has merged', async () => {
    const { path } = placeIn(folder).database
    {
      await using store = await openStore({ database: { engine: 'sqlite', path }, onError: () => {} })
      await store.write.insertInto('rateLimits').values({ key: 'k', hits: '', expiresAt: 1 }).execute()
      // What a killed process leaves.
      for (const end of ['-wal', '-shm']) copyFileSync(path + end, `${path}${end}.kept`)
    }
    for (const end of ['-wal', '-shm']) renameSync(`${path}${end}.kept`, path + end)
    execFileSync('mount', ['-o', 'remount,ro', folder])
    await using store = await openStore({ database: { engine: 'sqlite', path }, onError: () => {} })
    expect(store.isReadOnly).toBe(true)
    expect(await store.read.selectFrom('rateLimits').select('key').execute()).toEqual([{ key: 'k' }])
  })
})

test('reports a read-only database, still reads it, and writes again when possible', async () => {
  await using store = await makeStore('sqlite')
  const note = () =>
    store.transaction((tx) => tx.insertInto('rateLimits').values({ key: 'k', hits: '', expiresAt: 1 }).execute())
  await sql`pragma query_only = on`.execute(store.write)
  await expect(note()).rejects.toThrow(StoreUnavailableError)
  await expect(note()).rejects.toMatchObject({ outage: 'read-only' })
  expect(await store.read.selectFrom('rateLimits').selectAll().execute()).toEqual([])
  await sql`pragma query_only = off`.execute(store.write)
  await note()
  expect(await store.read.selectFrom('rateLimits').select('key').execute()).toEqual([{ key: 'k' }])
})

async function callsOf(docent: Docent): Promise<number> {
  return docent.inStore(async ({ read }) => {
    const { calls } = await read
      .selectFrom('callHours')
      .select((is) => is.fn.coalesce(is.fn.sum<number>('calls'), is.val(0)).as('calls'))
      .executeTakeFirstOrThrow()
    return calls
  })
}
