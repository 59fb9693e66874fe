import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Config, loadConfig } from '#config.ts'
import { runBuildTask } from '#search/build-tasks.ts'
import { SEGMENT_FORMAT } from '#search/segment/layout.ts'
import { startsOfGroups } from '#search/segment/sections.ts'
import type { Store } from '#store/db.ts'
import { openObjectS3 } from '#store/engine/blobs/object-s3.ts'
import type { ObjectStore } from '#store/engine/blobs/object-store.ts'
import { deleteUnusedObjects, sweepObjects } from '#store/engine/blobs/delete-objects.ts'
import { openStore } from '#store/engine/open.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { packTexts } from '#store/pages/pack-texts.ts'
import { deleteOtherSegments, readSegment, writeSegment } from '#store/pages/segments.ts'
import { insertImported } from '#store/pages/texts.ts'
import { insertServer } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { makePlace } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'
import { samplePage } from '../support/lib/sample-pages.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { hasTestPackages } from '../support/mcp/test-packages.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Fault, startS3 } from '../support/sites/s3-server.ts'
import { hasRados } from '../support/sites/rados-server.ts'
import { hasSwift } from '../support/sites/swift-server.ts'
import { page, startSite } from '../support/sites/site.ts'

const isInstalled = hasTestPackages('objects in a bucket')
/** OpenStack Swift, without conditional writes, and Ceph are independent servers. */
const SERVERS = [
  ...(isInstalled ? ['s3rver' as const] : []),
  ...(inject('isLong') && hasSwift() ? ['swift' as const] : []),
  ...(inject('isLong') && hasRados() ? ['rados' as const] : []),
]

/** Words of five letters, all different. */
const wordOf = (n: number) =>
  Array.from({ length: 5 }, (_, at) => 'bcdfghjklmnprstvz'[Math.floor(n / 17 ** at) % 17]).join('')

const PAGES = 160

/** Adds a server whose index has more than 8 MB, because hardly any of its words is there twice. */
async function addLargeServer(store: Store): Promise<void> {
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const names = { id: 'srv_large', slug: 'large', name: 'Large', description: null, tools: '["search_docs"]' }
  await insertServer(store.write, { ...names, accountId, visibility: 'public', refresh: 'off', ...times })
  const at = { serverId: 'srv_large', url: 'https://docs.test/', type: 'docs' as const, label: null, createdAt: 1 }
  const counts = {
    crawlStatus: 'complete' as const,
    pagesFound: PAGES,
    pagesIndexed: PAGES,
    chunks: 20 * PAGES,
    publishedPages: PAGES,
  }
  await insertSourceRow(store.write, { ...newSourceRow({ id: 'src_1', ...at }), ...counts, segments: '["seg_1"]' })
  const pages = Array.from({ length: PAGES }, (_, page) => {
    const textOf = (part: number) =>
      Array.from({ length: 250 }, (__, word) => wordOf((page * 20 + part) * 250 + word)).join(' ')
    const parts = Array.from({ length: 20 }, (_, part) => ({ heading: `Part ${part}`, text: textOf(part) }))
    const { page: made, markdown } = samplePage(`page-${page}`, `Page ${page}`, parts)
    return { page: made, markdown, compressed: zstdCompressSync(markdown) }
  })
  const data = runBuildTask({ kind: 'build', pages })
  if (!data) throw new TypeError('There is nothing to build.')
  await writeSegment(store, {
    id: 'seg_1',
    sourceId: 'src_1',
    data,
    format: SEGMENT_FORMAT,
    starts: startsOfGroups(data),
  })
  for (const {
    page: { url, title, textHash: hash, chunks },
    compressed,
    markdown,
  } of pages) {
    const text = { hash, markdown: compressed, outline: new Uint8Array(), size: markdown.length }
    const facts = { url, title, anchorTexts: '[]', chunks: chunks.length, updatedAt: 1, lastModified: null, text }
    await store.transaction((tx) => insertImported(tx, 'src_1', facts))
  }
  await packTexts(store, 'src_1', {})
}

describe.each(SERVERS)('objects in a bucket of %s', (kind) => {
  /** Cases of the client or the service alone. */
  const testOnce = test.runIf(kind === 's3rver')
  type S3 = Awaited<ReturnType<typeof startS3>>
  let s3: S3
  let objects: ObjectStore
  beforeAll(async () => {
    s3 = await startS3(kind)
    objects = openObjectS3(s3.settings)
  })
  afterAll(async () => {
    await objects.close?.()
    await s3[Symbol.asyncDispose]()
  })
  afterEach(() => Object.assign(s3, { faultOf: () => null, delayMs: 0, rounds: 0 }))

  const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) & 255)

  /** An object of this length, or null. */
  async function get(key: string, length: number, from = objects) {
    const into = new Uint8Array(length)
    return (await from.get(key, into)) ? into : null
  }

  /** Makes this fault in the first `count` requests of a method. */
  function failFirst(count: number, fault: Fault, method: string): void {
    let left = count
    s3.faultOf = (asked) => (asked.method === method && left-- > 0 ? fault : null)
  }

  /** The client waits longer after each SlowDown. */
  const timesOf = (fault: Fault) => (fault === 503 ? 1 : 3)

  const list = async (folder: string) => (await Array.fromAsync(objects.list(folder))).flat()

  describe('objects in a bucket', () => {
    test('are written, read, listed and deleted, and a missing one is null', async () => {
      await objects.put('docent_a/acc/src/one', bytesOf(20_000))
      await objects.put('docent_ab/acc/src/two', bytesOf(7))
      expect(await get('docent_a/acc/src/one', 20_000)).toEqual(bytesOf(20_000))
      const part = new Uint8Array(50)
      expect(await objects.get('docent_a/acc/src/one', part, { from: 19_950, of: 20_000 })).toBe(true)
      expect(part).toEqual(bytesOf(20_000).subarray(19_950))
      expect(await objects.get('docent_a/acc/src/none', part, { from: 0, of: 100 })).toBe(false)
      await expect(objects.get('docent_a/acc/src/one', part, { from: 20_000, of: 20_050 })).rejects.toThrow('refuses')
      expect(await list('docent_a')).toEqual([
        { key: 'docent_a/acc/src/one', bytes: 20_000, modifiedAt: expect.any(Number) },
      ])
      await objects.delete(['docent_a/acc/src/one', 'docent_a/acc/src/none'])
      expect(await get('docent_a/acc/src/one', 20_000)).toBeNull()
      expect(await list('docent_a')).toEqual([])
      expect(await get('docent_ab/acc/src/two', 7)).toEqual(bytesOf(7))
      // Longer and shorter memory than the object: it has another hash than its address then.
      expect(await get('docent_ab/acc/src/two', 6)).not.toEqual(bytesOf(6))
      expect(await get('docent_ab/acc/src/two', 8)).not.toEqual(bytesOf(8))
    })

    testOnce('are below the prefix, encrypted as the settings say, and never overwritten', async () => {
      const settings = { ...s3.settings, prefix: 'team/', encryption: 'aws:kms', kmsKey: 'key-1' } as const
      const other = openObjectS3(settings)
      await other.put('docent_b/one', bytesOf(7))
      expect(s3.seen.at(-1)).toMatchObject({
        method: 'PUT',
        path: '/bucket/team/docent_b/one?x-id=PutObject',
        headers: {
          'if-none-match': '*',
          'x-amz-server-side-encryption': 'aws:kms',
          'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
        },
      })
      expect((await Array.fromAsync(other.list('docent_b'))).flat()).toMatchObject([{ key: 'docent_b/one' }])
      await other.put('docent_b/one', bytesOf(8))
      expect(await get('docent_b/one', 7, other)).toEqual(bytesOf(7))
      await other.close?.()
    })

    testOnce('are addressed by host name where the settings ask for it', async () => {
      const virtual = openObjectS3({ ...s3.settings, endpoint: 'http://storage.invalid', isPathStyle: false })
      await expect(get('docent_c/none', 1, virtual)).rejects.toThrow('bucket.storage.invalid')
      await virtual.close?.()
    })

    testOnce('are written without a condition on a server that does not know it', async () => {
      s3.faultOf = ({ headers }) => (headers['if-none-match'] ? 501 : null)
      const other = openObjectS3(s3.settings)
      const puts = s3.seen.length
      await Promise.all(['one', 'two'].map((name) => other.put(`docent_i/${name}`, bytesOf(7))))
      await other.put('docent_i/three', bytesOf(7))
      // The last one asks without a condition at once.
      expect(s3.seen.length - puts).toBe(5)
      expect(await list('docent_i')).toHaveLength(3)
      s3.faultOf = ({ method }) => (method === 'PUT' ? 501 : null)
      await expect(objects.put('docent_i/four', bytesOf(7))).rejects.toThrow('refuses (NotImplemented')
      await other.close?.()
    })

    test.each([500, 503, 'cut', 'lost answer'] as const)('are written in spite of several times %s', async (fault) => {
      failFirst(timesOf(fault), fault, 'PUT')
      const key = `docent_d/${fault}`
      await objects.put(key, bytesOf(100))
      expect(await get(key, 100)).toEqual(bytesOf(100))
    })

    test.each([500, 503, 'cut'] as const)('are read in spite of several times %s', async (fault) => {
      await objects.put(`docent_e/${fault}`, bytesOf(100))
      failFirst(timesOf(fault), fault, 'GET')
      expect(await get(`docent_e/${fault}`, 100)).toEqual(bytesOf(100))
    })

    test.each([500, 'cut'] as const)('are away after four times %s', async (fault) => {
      await objects.put(`docent_h/${fault}`, bytesOf(100))
      failFirst(4, fault, 'GET')
      const failed = await get(`docent_h/${fault}`, 100).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(StoreUnavailableError)
      const message = expect.stringContaining('The object storage does not answer')
      expect(failed).toMatchObject({ outage: 'away', message })
    })

    test('are read again if their body stops', async () => {
      await objects.put('docent_f/one', bytesOf(100))
      failFirst(1, 'stall', 'GET')
      const hasty = openObjectS3(s3.settings, 1_500)
      expect(await get('docent_f/one', 100, hasty)).toEqual(bytesOf(100))
      await hasty.close?.()
    })

    test('are refused with a sentence for the operator', async () => {
      const wrong = openObjectS3({ ...s3.settings, bucket: 'none' })
      await expect(wrong.put('docent_g/one', bytesOf(1))).rejects.toThrow(StoreUnavailableError)
      await expect(get('docent_g/one', 1, wrong)).rejects.toThrow('The object storage refuses (NoSuchBucket')
      await wrong.close?.()
    })
  })

  describe('bytes in a bucket', () => {
    async function makeS3Store(hasCopies = false) {
      const stack = new AsyncDisposableStack()
      const place = stack.use(await makePlace('sqlite'))
      const folder = join(place.dataDir, 'copies')
      const copies = { folder, onError: (error: unknown) => void errors.push(error) }
      const errors: unknown[] = []
      const blobs: Config['blobs'] = { place: 's3', folder: null, s3: s3.settings, cacheMb: 1 }
      const store = stack.use(
        await openStore({ database: place.database, onError: () => {}, blobs, ...(hasCopies ? { copies } : {}) }),
      )
      await insertSource(store, { url: 'https://a.example.test/', type: 'docs' })
      return { store, folder, errors, [Symbol.asyncDispose]: () => stack.disposeAsync() }
    }
    const segment = (id: string, data: Uint8Array) => ({ id, sourceId: 'src_1', data, format: 1 })

    test('are read in one round trip, whatever their size, and deleted with their rows', async () => {
      await using at = await makeS3Store()
      // Three objects, of 8 MB at most.
      const data = new Uint8Array(Buffer.alloc(16_000_001, 'abcdefghijklm'))
      await writeSegment(at.store, segment('seg_1', data))
      Object.assign(s3, { delayMs: 30, rounds: 0 })
      const gets = s3.seen.length
      expect(Buffer.from((await readSegment(at.store, 'seg_1')) ?? []).equals(data)).toBe(true)
      expect(s3.seen.length - gets).toBe(3)
      expect(s3.rounds).toBe(1)
      const before = s3.objects().length
      await sweepObjects(at.store, Date.now() + 60_000)
      expect(s3.objects()).toHaveLength(before)
      while (await at.store.transaction((tx) => deleteOtherSegments(tx, 'src_1', [])));
      await deleteUnusedObjects(at.store)
      expect(before - s3.objects().length).toBe(3)
    })

    test('are read twice again if a byte is wrong, and then not used', async () => {
      await using at = await makeS3Store()
      await writeSegment(at.store, segment('seg_1', bytesOf(100)))
      failFirst(2, 'wrong byte', 'GET')
      expect(await readSegment(at.store, 'seg_1')).toEqual(bytesOf(100))
      failFirst(3, 'wrong byte', 'GET')
      await expect(readSegment(at.store, 'seg_1')).rejects.toThrow('is damaged')
    })

    test('have copies on the disk, which leave it with their rows', async () => {
      await using at = await makeS3Store(true)
      await writeSegment(at.store, segment('seg_1', bytesOf(400_000)))
      const requests = async () => {
        const before = s3.seen.length
        expect(await readSegment(at.store, 'seg_1')).toEqual(bytesOf(400_000))
        return s3.seen.length - before
      }
      expect(await requests()).toBe(1)
      // The copy is used a moment after its file has its name.
      await expect.poll(requests).toBe(0)
      expect(readdirSync(at.folder)).toEqual([expect.not.stringContaining('unfinished')])
      await at.store.write.deleteFrom('segments').execute()
      await deleteUnusedObjects(at.store)
      expect(readdirSync(at.folder)).toEqual([])
      expect(at.errors).toEqual([])
    })

    test('leave no row if they cannot be written', async () => {
      await using at = await makeS3Store()
      failFirst(Infinity, 500, 'PUT')
      await expect(writeSegment(at.store, segment('seg_1', bytesOf(100)))).rejects.toThrow(StoreUnavailableError)
      expect(await readSegment(at.store, 'seg_1')).toBeNull()
    })
  })

  test('a service on a bucket indexes and answers, and says when to try again while the bucket is away', async () => {
    await using site = await startSite({ '/': page('Pumps', 'Pumps are started with the green button.') })
    await using place = await makePlace('sqlite')
    const { bucket, endpoint, credentials } = s3.settings
    const environment = {
      DOCENT_BLOBS: 's3',
      DOCENT_BLOBS_CACHE: '0',
      DOCENT_S3_BUCKET: bucket,
      DOCENT_S3_ENDPOINT: endpoint,
      DOCENT_S3_ACCESS_KEY: credentials.accessKeyId,
      DOCENT_S3_SECRET_KEY: credentials.secretAccessKey,
    }
    const call = { name: 'ask_question', arguments: { question: 'How are pumps started?' } }
    const ask = ({ request }: Docent, slug: string) =>
      request('POST', `/api/mcp/${slug}`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    const made = { slug: '', key: '' }
    {
      await using docent = await startDocent({ place, environment })
      const { slug } = await docent.createServer({ name: 'Pumps', sources: [{ url: `${site.url}/` }] })
      Object.assign(made, { slug, key: docent.key })
      expect((await ask(docent, slug)).body.result.content[0].text).toContain('green button')
      const rows = await docent.inStore(({ read }) => read.selectFrom('segmentParts').select('object').execute())
      expect(rows.every(({ object }) => object?.startsWith('s3:docent_'))).toBe(true)
    }
    // Another process, which has nothing in memory.
    await using docent = await startDocent({ place, environment, key: made.key })
    const messages = {
      403: 'The object storage refuses requests of this instance right now. Its operator can find out why in the log.',
      cut: 'The object storage cannot be reached right now. Try again in a few seconds.',
    }
    for (const fault of [403, 'cut'] as const) {
      failFirst(Infinity, fault, 'GET')
      const { status, headers, body } = await ask(docent, made.slug)
      expect([status, headers.get('retry-after')]).toEqual([200, '5'])
      const data = { reason: 'store_unavailable', retryAfter: 5 }
      expect(body.error).toEqual({ code: -32603, message: messages[fault], data })
    }
    failFirst(0, 'cut', 'GET')
    expect((await ask(docent, made.slug)).body.result.content[0].text).toContain('green button')

    site.pages.set('/', page('Pumps', 'Pumps are started with the red button.'))
    const sourceOf = async () => (await docent.request('GET', `/api/mcp/${made.slug}`)).body.sources[0]
    const refresh = () => docent.request('POST', `/api/mcp/${made.slug}/crawl`)
    for (const fault of [403, 'cut'] as const) {
      failFirst(Infinity, fault, 'GET')
      await refresh()
      await expect.poll(sourceOf).toMatchObject({
        crawlStatus: 'error',
        crawlError: expect.stringMatching(
          /^The object storage of this instance does not work.* can still be searched\.$/,
        ),
      })
    }
    failFirst(0, 'cut', 'GET')
    // The job waits for its next attempt. A refresh does not.
    const jobs = await docent.inStore(({ read }) => read.selectFrom('jobs').select(['state', 'error']).execute())
    expect(jobs).toEqual([{ state: 'queued', error: expect.stringContaining('The object storage') }])
    await refresh()
    await docent.untilDone(made.slug)
    expect((await ask(docent, made.slug)).body.result.content[0].text).toContain('red button')
  })

  // Making the server takes seconds of processor time.
  test.runIf(kind === 's3rver' && inject('isLong'))(
    'the first search of a large server needs at most three requests one after another',
    async () => {
      await using place = await makePlace('sqlite')
      const environment = { ...s3.environment, DOCENT_BLOBS: 's3', DOCENT_BLOBS_CACHE: '0' }
      let key = ''
      {
        await using docent = await startDocent({ place, environment })
        ;({ key } = docent)
        await docent.inStore(addLargeServer)
      }
      // Another process, which has nothing in memory. Most of the index is read in ranges.
      await using docent = await startDocent({ place, environment, key })
      Object.assign(s3, { delayMs: 30, rounds: 0 })
      const before = s3.seen.length
      const { result } = await docent.callTool('large', 'search_docs', { query: `${wordOf(7_777)} ${wordOf(7_778)}` })
      const asked = s3.seen.slice(before).map(({ headers }) => headers.range)
      expect(resultsIn(result)[0]?.url).toMatch(/\/page-1#/)
      expect([2, 3]).toContain(s3.rounds)
      // Parts of the index and of a pack of texts.
      expect(asked.filter((range) => range !== undefined).length).toBeGreaterThan(1)
    },
  )

  describe.runIf(kind === 's3rver')('settings of a bucket', () => {
    const given = { DOCENT_BLOBS: 's3', DOCENT_S3_BUCKET: 'docs' }
    test('default to Amazon’s own server, and to path style at another', () => {
      expect(loadConfig(given).blobs.s3).toMatchObject({
        endpoint: null,
        region: 'us-east-1',
        isPathStyle: false,
        credentials: null,
      })
      const other = loadConfig({ ...given, DOCENT_S3_ENDPOINT: 'http://minio:9000/', DOCENT_S3_PREFIX: 'team' })
      expect(other.blobs.s3).toMatchObject({ endpoint: 'http://minio:9000', isPathStyle: true, prefix: 'team/' })
    })

    test('need a bucket, and both keys or none', () => {
      expect(() => loadConfig({ DOCENT_BLOBS: 's3' })).toThrow('DOCENT_S3_BUCKET')
      expect(() => loadConfig({ ...given, DOCENT_S3_ACCESS_KEY: 'a' })).toThrow('DOCENT_S3_SECRET_KEY')
    })
  })
})
