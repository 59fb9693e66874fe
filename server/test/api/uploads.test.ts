import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { drawPdf } from '../support/lib/draw-pdf.ts'
import { makeDocx, makePptx, makeXlsx } from '../support/lib/make-office.ts'
import { makeArchive, makeZip } from '../support/lib/make-archive.ts'
import { readCitations } from '#mcp/passages/read-citations.ts'
import { onBothEngines, onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const PDF = Buffer.from(
  drawPdf([
    [{ x: 72, y: 720, text: 'The pump manual', size: 24, font: 'sans' }],
    [{ x: 72, y: 720, text: 'The impeller is replaced every autumn.', size: 11, font: 'sans' }],
  ]),
).toString('latin1')

const FILES = {
  'README.md': '# Waterworks\n\nEverything about the waterworks of the town.',
  'guide/valves.md': '# Valves\n\n## Closing\n\nValves are closed clockwise, see [pumps](pumps.html).',
  'guide/pumps.html': page('Pumps', 'Pumps are started with the green button.'),
  'notes/2024 spring.txt': 'The reservoir was cleaned in April.',
  'api/level.py': 'def water_level(site):\n    """Metres of water at a site."""\n    return 1\n',
  'logo.png': 'PNG',
}

onSqliteAtLeast('upload', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const create = async (more: object = { uploads: ['docs'] }, key = docent.key) =>
    (await docent.request('POST', '/api/mcp/create', { name: 'Waterworks', ...more }, { key })).body
  const upload = (slug: string, query: string, bytes: Uint8Array<ArrayBuffer>, key = docent.key) =>
    docent.request('POST', `/api/mcp/${slug}/sources/upload?${query}`, bytes, { key })
  const search = async (slug: string, query: string): Promise<string[]> => {
    // Otherwise, citations lead to the pages that the server has over HTTP.
    await docent.request('PATCH', `/api/mcp/${slug}`, { webPages: 'off' })
    const { result } = await docent.callTool(slug, 'search_docs', { query })
    return resultsIn(result).map(({ url }) => url)
  }
  const countRows = () =>
    docent.inStore(async ({ read }) => [
      (await read.selectFrom('uploads').select('id').execute()).length,
      (await read.selectFrom('uploadParts').select('part').execute()).length,
    ])
  const uploadOf = async (slug: string, { file: name, bytes }: { file: string; bytes: Uint8Array }) => {
    await upload(slug, `name=docs&file=${name}`, new Uint8Array(bytes))
    return (await docent.untilDone(slug)).sources[0]
  }
  const file = (text: string) => new Uint8Array(Buffer.from(text))

  test('indexes an upload like any other source and cites its files by names without links', async () => {
    const { slug } = await create()
    const before = (await docent.request('GET', `/api/mcp/${slug}`)).body
    expect(before).toMatchObject({ status: 'error', sources: [{ crawlError: 'Nothing has been uploaded yet.' }] })
    const zip = makeZip(Object.entries({ ...FILES, 'manual.pdf': PDF }).map(([path, text]) => ({ path, text })))
    // A PDF is binary; in the archive it is UTF-8, which is identical for its ASCII.
    const { status, body } = await upload(slug, 'name=docs&label=The%20docs', zip)
    expect([status, body]).toMatchObject([
      200,
      { url: 'upload://docs/', label: 'The docs', crawlStatus: 'pending', pdfPages: null },
    ])
    const { sources } = await docent.untilDone(slug)
    expect(sources).toMatchObject([
      { crawlStatus: 'complete', pagesDiscovered: 7, pagesIndexed: 6, pagesSkipped: 1, pdfPages: 2 },
    ])
    expect(sources[0].skipped).toMatchObject([{ reason: 'binary' }])
    expect((await search(slug, 'how are valves closed'))[0]).toBe('upload://docs/guide/valves.md#closing')
    expect((await search(slug, 'green button'))[0]).toMatch(/^upload:\/\/docs\/guide\/pumps\.html/)
    expect((await search(slug, 'reservoir cleaned'))[0]).toBe('upload://docs/notes/2024%20spring.txt')
    expect((await search(slug, 'water_level'))[0]).toMatch(/^upload:\/\/docs\/api\/level\.py(#L1)?$/)
    expect((await search(slug, 'impeller'))[0]).toBe('upload://docs/manual.pdf#page=1')
    const { result } = await docent.callTool(slug, 'ask_question', { question: 'How are valves closed?' })
    expect(readCitations(result.content[0].text)).toMatchObject({
      lead: expect.stringContaining('closed clockwise'),
      passages: [{ url: 'upload://docs/guide/valves.md#closing' }],
    })
  })

  test('indexes an upload without its bad files and lists these with their causes', async () => {
    const { slug } = await create()
    // One PDF in eight has such bytes where an archive header has numbers.
    const odd = Buffer.from(PDF.replace(/^(%PDF[^\n]*\n)/, `$1%${'\u00ff'.repeat(400)}\n`), 'latin1')
    expect(await uploadOf(slug, { file: 'odd.pdf', bytes: odd })).toMatchObject({
      crawlStatus: 'complete',
      pagesIndexed: 1,
    })
    const archive = makeZip([
      { path: 'good.md', text: '# Good\n\nThe weir is cleaned in May.' },
      { path: 'half.pdf', text: PDF.slice(0, 60) },
      { path: 'not.pdf', text: 'Just words' },
    ])
    const source = await uploadOf(slug, { file: 'docs.zip', bytes: archive })
    expect(source).toMatchObject({ crawlStatus: 'complete', pagesDiscovered: 3, pagesIndexed: 1, pagesFailed: 2 })
    const details = source.skipped.map(({ example }: { example: string }) => example)
    expect(details).toEqual(expect.arrayContaining([expect.stringMatching(/no PDF|damaged/)]))
    expect(details.join(' ')).not.toContain('on our side')
    expect(await search(slug, 'weir')).toContain('upload://docs/good.md#good')
  })

  test('reads office files, alone and among others, and cites slides and sheets', async () => {
    const { slug } = await create()
    const alone = await uploadOf(slug, { file: 'pumps.docx', bytes: makeDocx('Sealing', 'The gasket is greased.') })
    expect(alone).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 1 })
    expect(await search(slug, 'gasket greased')).toEqual(['upload://docs/pumps.docx'])
    const archive = makeZip([
      {
        path: 'a/talk.pptx',
        text: makePptx([
          ['Aims', 'Fewer leaks'],
          ['Costs', 'Turbines are dear'],
        ]),
      },
      {
        path: 'a/prices.xlsx',
        text: makeXlsx('Spare parts', [
          ['Part', 'Price'],
          ['Diaphragm', '17'],
        ]),
      },
      { path: 'a/locked.docx', text: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
      { path: 'a/half.epub', text: 'PK' },
    ])
    const source = await uploadOf(slug, { file: 'docs.zip', bytes: archive })
    expect(source).toMatchObject({ pagesDiscovered: 4, pagesIndexed: 2, pagesSkipped: 2 })
    const reasons = source.skipped.map(({ reason }: { reason: string }) => reason).toSorted()
    expect(reasons).toEqual(['encrypted', 'unreadable'])
    expect(await search(slug, 'turbines dear')).toContain('upload://docs/a/talk.pptx#slide-2')
    expect(await search(slug, 'price of the diaphragm')).toContain('upload://docs/a/prices.xlsx#sheet-1')
    const { result } = await docent.callTool(slug, 'search_docs', { query: 'turbines dear' })
    expect(result.content[0].text).toContain('Slide 2: Costs')
  })

  test('reads an API description, alone or among other files', async () => {
    const openapi = JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'Sluices', version: '1' },
      paths: {
        '/sluices': { get: { operationId: 'listSluices', responses: { 200: { description: 'All of them' } } } },
      },
    })
    const { slug } = await create({ uploads: ['docs'] })
    await upload(slug, 'name=docs&file=openapi.json', file(openapi))
    await docent.untilDone(slug)
    const operation = '?docent-operation=GET+/sluices#/paths/~1sluices/get'
    expect(await search(slug, 'list sluices')).toContain(`upload://docs/openapi.json${operation}`)
    const { result } = await docent.callTool(slug, 'find_api_reference', { name: 'GET /sluices' })
    expect(resultsIn(result)[0]?.url).toBe(`upload://docs/openapi.json${operation}`)
    const zip = makeZip([
      { path: 'README.md', text: '# Sluices\n\nSluices hold the water back.' },
      { path: 'api/v1.json', text: openapi },
      { path: 'package.json', text: '{}' },
    ])
    await upload(slug, 'name=docs', zip)
    await docent.untilDone(slug)
    expect(await search(slug, 'list sluices')).toContain(`upload://docs/api/v1.json${operation}`)
    const refused = await upload(slug, 'name=docs&file=package.json', file('{}'))
    expect(refused.status).toBe(200)
    await docent.untilDone(slug)
    const { sources } = (await docent.request('GET', `/api/mcp/${slug}`)).body
    expect(sources[0].crawlError).toMatch(/^"package.json" is nothing that can be read. Upload/)
  })

  // Starts reader processes five times.
  test('replaces an upload by the next one of its name and keeps unchanged files', async () => {
    const { slug } = await create({ uploads: ['docs', 'more'] })
    const archive = makeArchive(FILES)
    await upload(slug, 'name=docs', archive)
    await upload(slug, 'name=more&file=extra.md', file('# Extra\n\nA thing of its own.'))
    const first = (await docent.untilDone(slug)).sources[0]
    const versionOf = () =>
      docent.inStore(({ read }) =>
        read.selectFrom('sources').select('segments').where('id', '=', first.id).executeTakeFirstOrThrow(),
      )
    const version = await versionOf()
    await upload(slug, 'name=docs', archive)
    await docent.untilDone(slug)
    expect(await versionOf()).toEqual(version)

    const { 'README.md': _, ...rest } = FILES
    await upload(
      slug,
      'name=docs',
      makeArchive({ ...rest, 'guide/valves.md': '# Valves\n\nValves are opened by hand.' }),
    )
    const after = await docent.untilDone(slug)
    expect(after.sources).toMatchObject([{ id: first.id, pagesIndexed: 4 }, { pagesIndexed: 1 }])
    expect(await search(slug, 'closed clockwise')).not.toContain('upload://docs/guide/valves.md#closing')
    expect(await search(slug, 'opened by hand')).toContain('upload://docs/guide/valves.md#valves')
    expect(await search(slug, 'waterworks of the town')).not.toContain('upload://docs/README.md#waterworks')
    expect(await search(slug, 'thing of its own')).toContain('upload://more/extra.md#extra')
    // A re-index request needs no new upload.
    expect((await docent.request('POST', `/api/mcp/${slug}/crawl`, {})).body).toMatchObject({ queued: 2 })
    expect((await docent.untilDone(slug)).sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 4 })
  })

  test('adds an upload beside a site', async () => {
    await using site = await startSite({ '/': page('Home', 'Welcome to this place.') })
    const { slug } = await create({ sources: [{ url: `${site.url}/` }] })
    expect((await upload(slug, 'name=local&file=a.md', file('# A\n\nWritten at home.'))).status).toBe(200)
    expect((await docent.untilDone(slug)).sources).toMatchObject([{ pagesIndexed: 1 }, { pagesIndexed: 1 }])
    expect(await search(slug, 'written at home')).toContain('upload://local/a.md#a')
  })

  test.each([
    ['a program', 'tool', '\x7fELF', /"tool" is nothing that can be read\. Upload Markdown/],
    ['half an archive', 'a.zip', 'PK\x03\x04 and no more', /The archive cannot be read: it is damaged\./],
    ['an invalid document', 'a.docx', 'PK\x03\x04 and no more', /No page could be indexed\. The file is damaged/],
    ['an invalid PDF', 'a.pdf', '%PDF-1.7 and no more', /No page could be indexed\. The PDF is damaged/],
  ])('fails with a sentence for %s', async (_, name, text, sentence) => {
    const { slug } = await create()
    await upload(slug, `name=docs&file=${name}`, file(text))
    expect((await docent.untilDone(slug)).sources[0]).toMatchObject({
      crawlStatus: 'error',
      crawlError: expect.stringMatching(sentence),
    })
  })

  test('deletes everything of an upload with its source', async () => {
    const before = await countRows()
    const { slug } = await create()
    await upload(slug, 'name=docs', makeArchive(FILES))
    await docent.untilDone(slug)
    expect(await countRows()).not.toEqual(before)
    const { body } = await docent.request('DELETE', `/api/mcp/${slug}/sources`, { url: 'upload://docs/' })
    expect(body).toMatchObject({ removed: 1 })
    expect(await countRows()).toEqual(before)
  })

  test('stores nothing of an interrupted upload', async () => {
    const { slug } = await create()
    const before = await countRows()
    const { hostname, port } = new URL(docent.url)
    const socket = connect(Number(port), hostname)
    const head = `POST /api/mcp/${slug}/sources/upload?name=docs HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${docent.key}`
    socket.write(`${head}\r\ncontent-length: 5000000\r\n\r\n`)
    socket.write(randomBytes(3_000_000))
    while ((await countRows()).join() === before.join()) await sleep(20)
    socket.destroy()
    await once(socket, 'close')
    while ((await countRows()).join() !== before.join()) await sleep(20)
    expect((await docent.request('GET', `/api/mcp/${slug}`)).body.status).toBe('error')
  })

  describe('refused upload', () => {
    test.each([
      ['name=Docs&file=a.md', 'name must'],
      ['name=..&file=a.md', 'name must'],
      [`name=${'a'.repeat(65)}`, 'name must'],
      ['file=a.md', 'name is missing'],
      ['name=docs&file=../a.md', 'file must'],
      [`name=docs&file=${'a'.repeat(256)}`, 'file must'],
    ])('rejects %s', async (query, field) => {
      const { slug } = await create()
      const { status, body } = await upload(slug, query, file('# A'))
      expect([status, body.error, body.message.startsWith(field)]).toEqual([400, 'invalid_input', true])
    })

    test('rejects an empty file', async () => {
      const { slug } = await create()
      const before = await countRows()
      const { status, body } = await upload(slug, 'name=docs', new Uint8Array())
      expect([status, body.error]).toEqual([400, 'upload_empty'])
      expect(await countRows()).toEqual(before)
    })

    test.runIf(inject('isLong'))(
      'rejects a file one byte above the size limit and accepts one at the limit',
      async () => {
        const { slug } = await create()
        const before = await countRows()
        const over = await upload(slug, 'name=docs&file=a.bin', new Uint8Array(MAX_UPLOAD_BYTES + 1))
        expect([over.status, over.body]).toEqual([413, { error: 'The request body is too large' }])
        expect(await countRows()).toEqual(before)
        expect((await upload(slug, 'name=docs&file=a.bin', new Uint8Array(MAX_UPLOAD_BYTES))).status).toBe(200)
        await docent.request('DELETE', `/api/mcp/${slug}/sources`, { url: 'upload://docs/' })
      },
    )

    test('enforces the size limit without a Content-Length', async () => {
      const { slug } = await create()
      const before = await countRows()
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(new Uint8Array(1 << 20))
          if (++sent > MAX_UPLOAD_BYTES >> 20) controller.close()
        },
      })
      const headers = { authorization: `Bearer ${docent.key}` }
      const url = `${docent.url}/api/mcp/${slug}/sources/upload?name=docs`
      const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' })
      expect(response.status).toBe(413)
      await response.text()
      expect(await countRows()).toEqual(before)
    })
  })
})

onBothEngines('uploads on the free plan', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, plan: 'free', environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const file = new Uint8Array(Buffer.from('# A\n\nA text.'))
  const upload = (slug: string, name: string) =>
    docent.request('POST', `/api/mcp/${slug}/sources/upload?name=${name}&file=a.md`, file)

  test('counts uploads as sources, announced or not, and always lets them be replaced', async () => {
    const request = { name: 'A', uploads: ['a', 'b', 'c'] }
    const over = await docent.request('POST', '/api/mcp/create', request)
    expect([over.status, over.body]).toMatchObject([402, { error: 'source_limit', limit: 2 }])
    const made = await docent.request('POST', '/api/mcp/create', { ...request, uploads: ['a', 'a'] })
    const { slug } = made.body
    expect((await upload(slug, 'b')).status).toBe(200)
    const { status, body } = await upload(slug, 'c')
    expect([status, body]).toMatchObject([402, { error: 'source_limit_reached', used: 2, limit: 2 }])
    expect((await upload(slug, 'b')).status).toBe(200)
  })

  test('refuses an upload when the others reach the plan’s text limit', async () => {
    const { slug } = (await docent.request('POST', '/api/mcp/create', { name: 'B', uploads: ['a', 'b'] })).body
    const fill = (url: string, textBytes: number) =>
      docent.inStore(({ write }) => write.updateTable('sources').set({ textBytes }).where('url', '=', url).execute())
    await fill('upload://a/', 200_000_000)
    const { status, body } = await upload(slug, 'b')
    expect([status, body]).toMatchObject([402, { error: 'source_size_limit_reached', limit: 200_000_000 }])
    expect((await upload(slug, 'a')).status).toBe(200)
    await docent.untilDone(slug)
    await fill('upload://a/', 199_999_999)
    expect((await upload(slug, 'b')).status).toBe(200)
  })
})
