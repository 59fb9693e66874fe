import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { claim } from '#store/jobs/claim.ts'
import { finish } from '#store/jobs/queue.ts'
import { queueRebuilds } from '#jobs/enqueue-ingest.ts'
import type { Store } from '#store/db.ts'
import { encodeOutline } from '#search/outline.ts'
import { LAST_FORMAT, SEGMENT_FORMAT } from '#search/segment/layout.ts'
import { writeSegment } from '#store/pages/segments.ts'
import { insertImported } from '#store/pages/texts.ts'
import { insertServer } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { delayTransactions } from '../support/database/delay-transactions.ts'
import { makePlace, makeStore, onSqliteAtLeast, openTwoNodes } from '../support/database/engines.ts'
import { samplePage } from '../support/lib/sample-pages.ts'
import { ERAS } from '../support/service/account-client.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Page, page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const REBUILDING = 'The index is being rebuilt after an update of the service. Try again in a minute.'

/** A call that waits for this, over MCP. */
const IS_REBUILT = { code: -32603, message: REBUILDING, data: { reason: 'store_unavailable', retryAfter: 60 } }

/** The official clients of both lines, and of both eras of the protocol. */
const SDK_CLIENTS = [
  async (url: string) => {
    const client = new LegacyClient({ name: 'first-line', version: '1' })
    await client.connect(new LegacyTransport(new URL(url)))
    return client
  },
  ...ERAS.map(({ mode }) => async (url: string) => {
    const client = new Client({ name: 'second-line', version: '2' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return client
  }),
]

const about = (word: string) => `This page tells all that there is to know about ${word}.`
/** Slow enough for the call limit. */
const SOON = { timeout: 30_000, interval: 200 }
/** Never answers. */
const never: Page = () => undefined

/** The one segment of each source, with its bytes. */
const listSegments = (docent: Docent) =>
  docent.inStore(({ read }) =>
    read
      .selectFrom('segments')
      .innerJoin('segmentParts', 'segmentParts.segmentId', 'segments.id')
      .select(['segments.id', 'sourceId', 'format', 'data'])
      .orderBy('sourceId')
      .execute(),
  )

/** Makes all segments look written by another version; `format` is the recorded format. */
const makeOlder = (docent: Docent, format = 1) =>
  docent.inStore(async ({ read, write }) => {
    await write.updateTable('segments').set({ format }).execute()
    for (const { segmentId, data } of await read.selectFrom('segmentParts').selectAll().execute()) {
      const older = Uint8Array.from(data)
      // The format number is at byte 4.
      older[4] = 1
      await write.updateTable('segmentParts').set({ data: older }).where('segmentId', '=', segmentId).execute()
    }
  })

/** Gives all segments other ids: the threads have opened them already, to try the questions that they answer. */
const renameSegments = (docent: Docent) =>
  docent.inStore(async ({ read, write }) => {
    for (const segment of await read.selectFrom('segments').selectAll().execute()) {
      const { id } = segment
      const renamed = id.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
      await write
        .insertInto('segments')
        .values({ ...segment, id: renamed })
        .execute()
      await write.updateTable('segmentParts').set({ segmentId: renamed }).where('segmentId', '=', id).execute()
      const source = await read
        .selectFrom('sources')
        .select('segments')
        .where('id', '=', segment.sourceId)
        .executeTakeFirstOrThrow()
      const segments = source.segments?.replace(id, renamed) ?? null
      await write.updateTable('sources').set({ segments }).where('id', '=', segment.sourceId).execute()
      await write.deleteFrom('segments').where('id', '=', id).execute()
    }
  })

async function createSite(docent: Docent, name: string, url: string): Promise<string> {
  const { slug } = await docent.createServer({ name, sources: [{ url, type: 'docs' }] })
  return slug
}

const search = (docent: Docent, slug: string, query: string) => docent.callTool(slug, 'search_docs', { query })

/** Paths of the pages that a query finds. */
async function find(docent: Docent, slug: string, query: string): Promise<string[]> {
  const { result } = await search(docent, slug, query)
  return resultsIn(result).map(({ url }) => new URL(url).pathname)
}

const FRUITS = ['Apples', 'Bananas', 'Cherries']

/** Adds a server with the pages of `fixtures/segment-7.bin`, which a program with format 7 has built, and that segment. */
async function addLastFormat({ read, write, transaction, ...store }: Store): Promise<void> {
  const { id: accountId } = await read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const names = { id: 'srv_old', slug: 'old', name: 'Old', description: null, tools: '["search_docs","ask_question"]' }
  await insertServer(write, { ...names, accountId, visibility: 'public', refresh: 'off', ...times })
  const at = { serverId: 'srv_old', url: 'https://docs.test/', type: 'docs' as const, label: null, createdAt: 1 }
  const counts = { crawlStatus: 'complete' as const, pagesFound: 3, pagesIndexed: 3, chunks: 6, publishedPages: 3 }
  await insertSourceRow(write, { ...newSourceRow({ id: 'src_old', ...at }), ...counts, segments: '["seg_old"]' })
  const data = readFileSync(join(import.meta.dirname, `fixtures/segment-${LAST_FORMAT}.bin`))
  // So it is not rebuilt yet.
  const segment = { id: 'seg_old', sourceId: 'src_old', data, format: SEGMENT_FORMAT }
  await writeSegment({ read, write, transaction, ...store }, segment)
  for (const fruit of FRUITS) {
    const name = fruit.toLowerCase()
    const { page: made, markdown } = samplePage(name, fruit, [
      { heading: `Growing ${fruit}`, text: `How to grow ${name} in a garden with much sun.` },
      { heading: 'Harvest', text: `When to pick ${name}, and how to store them.` },
    ])
    const { url, title, textHash: hash } = made
    const text = { hash, markdown: zstdCompressSync(markdown), outline: encodeOutline(made), size: markdown.length }
    const facts = { url, title, anchorTexts: '[]', chunks: 2, updatedAt: 1, lastModified: null, text }
    await transaction((tx) => insertImported(tx, 'src_old', facts))
  }
}

onSqliteAtLeast('segments of the last format', (engine) => {
  test('answer calls until they are rebuilt, so that an update refuses none', async () => {
    await using place = await makePlace(engine)
    let key = ''
    {
      await using docent = await startDocent({ place })
      ;({ key } = docent)
      await docent.inStore(addLastFormat)
      for (const fruit of FRUITS) expect((await find(docent, 'old', fruit))[0]).toBe(`/${fruit.toLowerCase()}`)
      const { result } = await docent.callTool('old', 'ask_question', { question: 'How do I grow bananas?' })
      expect(JSON.stringify(result)).toContain('in a garden with much sun')
      expect((await listSegments(docent)).map(({ data }) => data[4])).toEqual([LAST_FORMAT])
      await docent.inStore(({ write }) => write.updateTable('segments').set({ format: LAST_FORMAT }).execute())
    }
    // It is asked more often than a client may.
    await using docent = await startDocent({ place, key, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const isRebuilt = async () => (await listSegments(docent)).every(({ format }) => format === SEGMENT_FORMAT)
    for (let isLast = false; ; isLast = await isRebuilt()) {
      // A refused call has no results.
      for (const fruit of FRUITS) expect((await find(docent, 'old', fruit))[0]).toBe(`/${fruit.toLowerCase()}`)
      if (isLast) break
    }
    const [rebuilt, ...others] = await listSegments(docent)
    expect([rebuilt?.data[4], rebuilt?.id === 'seg_old', others]).toEqual([SEGMENT_FORMAT, false, []])
  })
})

onSqliteAtLeast('segments of another format', (engine) => {
  test('rebuilds old segments from stored texts in a refresh without other changes', async () => {
    await using site = await startSite({
      '/': page('Start', about('starting'), ['/apples']),
      '/apples': page('Apples', about('apples')),
    })
    await using docent = await startDocent({ engine })
    const slug = await createSite(docent, 'Site', `${site.url}/`)
    const [before] = await listSegments(docent)
    await makeOlder(docent)

    await docent.request('POST', '/api/mcp/crawl', { serverId: slug, sourceId: before?.sourceId })
    expect((await docent.untilDone(slug)).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
    const [after, ...others] = await listSegments(docent)
    expect(others).toEqual([])
    expect(after?.id).not.toBe(before?.id)
    expect(after?.format).toBe(before?.format)
    expect(Buffer.from(after?.data ?? []).equals(Buffer.from(before?.data ?? []))).toBe(true)
    expect(await find(docent, slug, 'apples')).toEqual(['/apples'])
  })

  test('reports old segments, and rebuilds them at startup for all sources before any is read', async () => {
    const words = ['apples', 'bananas', 'cherries', 'dates', 'elderberries']
    await using site = await startSite(Object.fromEntries(words.map((word) => [`/${word}/`, page(word, about(word))])))
    await using place = await makePlace(engine)
    const slugs: string[] = []
    let key = ''
    {
      await using docent = await startDocent({ place })
      ;({ key } = docent)
      for (const word of words) slugs.push(await createSite(docent, word, `${site.url}/${word}/`))
      await makeOlder(docent)
      await renameSegments(docent)
      const [slug = ''] = slugs
      for (const tool of ['search_docs', 'ask_question']) {
        const args = { query: 'apples', question: 'What about apples?' }
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }
        const answer = await docent.request('POST', `/api/mcp/${slug}`, body, { key: null })
        expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 1, error: IS_REBUILT } })
        expect(answer.headers.get('retry-after')).toBe('60')
        const batch = await docent.request('POST', `/api/mcp/${slug}`, [{ ...body, id: 'a' }, body], { key: null })
        expect(batch.body).toEqual(['a', 1].map((id) => ({ jsonrpc: '2.0', id, error: IS_REBUILT })))
      }
      for (const connect of SDK_CLIENTS) {
        const client = await connect(`${docent.url}/api/mcp/${slug}`)
        const refused = { code: IS_REBUILT.code, data: IS_REBUILT.data, message: expect.stringContaining(REBUILDING) }
        const call = { name: 'search_docs', arguments: { query: 'apples' } }
        await expect(client.callTool(call)).rejects.toMatchObject(refused)
        await client.close()
      }
      const { status, body: page, headers } = await docent.request('GET', `/api/mcp/${slug}/llms-full.txt`)
      expect([status, page.error, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '60'])
      const [call] = (await docent.request('GET', `/api/analytics/${slug}/calls`)).body.calls
      expect(call).toMatchObject({ status: 'error', error: REBUILDING })
      const { body } = await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)
      expect(body).toMatchObject({ complete: false, remark: REBUILDING })
    }
    // More sources than concurrent crawls, and their site no longer answers.
    site.pages.clear()
    for (const path of ['/robots.txt', ...words.map((word) => `/${word}/`)]) site.pages.set(path, never)
    await using docent = await startDocent({ place, key })
    for (const [n, slug] of slugs.entries())
      await expect.poll(() => find(docent, slug, words[n] ?? ''), SOON).toEqual([`/${words[n]}/`])
    const { sources } = (await docent.request('GET', `/api/mcp/${slugs[0]}`)).body
    expect(sources[0]).toMatchObject({ pagesIndexed: 1, crawlStatus: expect.stringMatching(/^(pending|crawling)$/) })
  })

  test('marks segments of an unknown format, and continues the crawl after the rebuild', async () => {
    await using site = await startSite({ '/': page('Apples', about('apples')) })
    await using place = await makePlace(engine)
    let [slug, key] = ['', '']
    {
      await using docent = await startDocent({ place })
      ;({ key } = docent)
      slug = await createSite(docent, 'Site', `${site.url}/`)
      await makeOlder(docent, 0)
    }
    site.pages.set('/', page('Bananas', about('bananas')))
    await using docent = await startDocent({ place, key })
    await expect.poll(() => find(docent, slug, 'bananas'), SOON).toEqual(['/'])
    expect((await docent.untilDone(slug)).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1 })
  })

  test('counts the pages of old segments, so that a refresh cannot lose them unnoticed', async () => {
    const links = ['/a', '/b', '/c', '/d']
    await using site = await startSite({
      '/': page('Start', about('starting'), links),
      ...Object.fromEntries(links.map((path) => [path, page(path, about(`letter ${path}`))])),
    })
    await using place = await makePlace(engine)
    const refused = { crawlStatus: 'error', crawlError: expect.stringContaining('of 5 pages only 1 was still there') }
    let [slug, key] = ['', '']
    {
      await using docent = await startDocent({ place })
      ;({ key } = docent)
      slug = await createSite(docent, 'Site', `${site.url}/`)
      for (const path of links) site.pages.delete(path)
      const [segment] = await listSegments(docent)
      await docent.request('POST', '/api/mcp/crawl', { serverId: slug, sourceId: segment?.sourceId })
      expect((await docent.untilDone(slug)).sources[0]).toMatchObject(refused)
      await makeOlder(docent)
    }
    await using docent = await startDocent({ place, key })
    await expect.poll(() => find(docent, slug, 'starting'), SOON).toEqual(['/'])
    expect((await docent.untilDone(slug)).sources[0]).toMatchObject(refused)
  })

  test('distinguishes old segments from damaged ones, without details for the caller', async () => {
    await using site = await startSite({ '/': page('Apples', about('apples')) })
    await using docent = await startDocent({ engine })
    const slug = await createSite(docent, 'Site', `${site.url}/`)
    const [segment] = await listSegments(docent)
    const data = new Uint8Array(segment?.data.byteLength ?? 0)
    await docent.inStore(({ write }) => write.updateTable('segmentParts').set({ data }).execute())
    await renameSegments(docent)
    const { error } = await search(docent, slug, 'apples')
    expect(error).toMatchObject({ code: -32_603, message: expect.stringContaining('has been logged') })
  })
})

type Row = { id: string; formats: number[]; unnamed?: number[]; deleted?: boolean }

onSqliteAtLeast('rebuild queue', (engine) => {
  async function fill(store: Store, rows: readonly Row[]): Promise<void> {
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    for (const deleted of [false, true]) {
      const server = { id: `srv_${deleted}`, accountId, slug: `${deleted}`, name: 'A', description: null }
      const times = { createdAt: 1, updatedAt: 1, deletedAt: deleted ? 1 : null, purgeAt: deleted ? 2 : null }
      await insertServer(store.write, { ...server, visibility: 'public', tools: '[]', ...times })
    }
    const data = new Uint8Array(1)
    for (const { id, formats, unnamed = [], deleted = false } of rows) {
      const at = { serverId: `srv_${deleted}`, url: id, type: 'docs' as const, label: null, createdAt: 1 }
      const named = formats.map((_, n) => `seg_${id}_${n}`)
      const row = { ...newSourceRow({ id, ...at }), crawlStatus: 'complete' as const, segments: JSON.stringify(named) }
      await insertSourceRow(store.write, row)
      for (const [n, format] of [...formats, ...unnamed].entries())
        await writeSegment(store, { id: `seg_${id}_${n}`, sourceId: id, data, format })
    }
  }

  const queuedIn = async ({ read }: Store) =>
    (await read.selectFrom('jobs').select('sourceId').where('state', '=', 'queued').orderBy('sourceId').execute()).map(
      ({ sourceId }) => sourceId,
    )

  test('queues each live source with an older or newer segment once and no others', async () => {
    await using store = await makeStore(engine)
    await fill(store, [
      { id: 'src_a', formats: [2] },
      { id: 'src_b', formats: [1] },
      { id: 'src_c', formats: [2, 0, 1] },
      { id: 'src_d', formats: [3] },
      { id: 'src_e', formats: [2], unnamed: [1] },
      { id: 'src_f', formats: [1], deleted: true },
      { id: 'src_g', formats: [] },
    ])
    await Promise.all([queueRebuilds(store, 2), queueRebuilds(store, 2)])
    expect(await queuedIn(store)).toEqual(['src_b', 'src_c', 'src_d'])
    const sources = await store.read.selectFrom('sources').select('id').where('crawlStatus', '=', 'pending').execute()
    expect(sources.map(({ id }) => id).toSorted()).toEqual(['src_b', 'src_c', 'src_d'])
    await store.write.updateTable('segments').set({ format: 2 }).execute()
    expect(await queueRebuilds(store, 2)).toBe(0)
  })

  test.each([199, 200, 201, 401])('queues all %d sources, however few are read at once', async (count) => {
    await using store = await makeStore(engine)
    const rows = Array.from({ length: count }, (_, n) => ({ id: `src_${n}`, formats: [1] }))
    await fill(store, rows)
    expect(await queueRebuilds(store, 2)).toBe(count)
    expect(await queuedIn(store)).toHaveLength(count)
  })

  test('does not queue a source that another node has already rebuilt', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const { one, other } = nodes
    await fill(
      one,
      Array.from({ length: 20 }, (_, n) => ({ id: `src_${n}`, formats: [1] })),
    )
    // This node has read what to rebuild, but queues it only after the other one has finished.
    const late = delayTransactions(other)
    const looking = queueRebuilds(late.store, 2)
    await late.reached
    expect(await queueRebuilds(one, 2)).toBe(20)
    for (let job = await claim(one); job; job = await claim(one)) {
      const { sourceId } = JSON.parse(job.payload) as { sourceId: string }
      await one.write.updateTable('segments').set({ format: 2 }).where('sourceId', '=', sourceId).execute()
      await finish(one.write, job, 'done')
    }
    late.release()
    expect(await looking).toBe(0)
    expect(await queuedIn(one)).toEqual([])
  })
})
