import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readServerFile } from '#operations/servers/read-server-file.ts'
import type { Engine } from '../support/database/engines.ts'
import { makeArchive } from '../support/lib/make-archive.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
const documents = Object.fromEntries(
  readdirSync(DOCS)
    .filter((name) => name.endsWith('.md') && name !== 'api.md')
    .map((name) => [name, readFileSync(new URL(name, DOCS), 'utf8')]),
)
/** Questions about the documents of the project: one for each heading. */
const QUESTIONS = Object.values(documents)
  .flatMap((text) => [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) => `What does it say about ${heading}?`))
  .slice(0, 100)

type Server = { docent: Docent; slug: string; sources: string[] }
type Line = Record<string, any>

const parse = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const join = (lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
/** The file of these lines with a last one that fits. */
function sealed(lines: readonly Line[]): string {
  const text = join(lines.filter(({ kind }) => kind !== 'end'))
  const sha256 = createHash('sha256').update(text).digest('hex')
  return text + join([{ kind: 'end', lines: parse(text).length, sha256 }])
}

const exported = async ({ docent, slug }: Pick<Server, 'docent' | 'slug'>): Promise<string> =>
  (await docent.request('GET', `/api/mcp/${slug}/export`)).text

async function imported(docent: Docent, file: string, query = '?visibility=public'): Promise<Server> {
  const bytes = new Uint8Array(gzipSync(file))
  const { status, body } = await docent.request('POST', `/api/server-files${query}`, bytes)
  expect([status, body]).toMatchObject([200, { pages: parse(file).filter(({ kind }) => kind === 'page').length }])
  await docent.untilDone(body.slug)
  return { docent, slug: body.slug, sources: body.sources.map(({ id }: { id: string }) => id) }
}

/** The answers to all questions, without what differs between servers: addresses of the service and ids of sources. */
async function answersOf({ docent, slug, sources }: Server): Promise<string[]> {
  const answers: string[] = []
  for (const question of QUESTIONS) {
    const { result, error } = await docent.callTool(slug, 'ask_question', { question })
    expect(error).toBeUndefined()
    const named = sources.reduce((text, id, at) => text.replaceAll(id, `source ${at}`), JSON.stringify(result))
    answers.push(named.replaceAll(`${docent.url}/api/mcp/${slug}/`, 'server/'))
  }
  return answers
}

describe('the file of a server', () => {
  let site: Site
  let original: Server
  let file = ''
  const others: Docent[] = []
  const open = async (engine: Engine) => {
    const docent = await startDocent({ engine })
    others.push(docent)
    return docent
  }

  beforeAll(async () => {
    site = await startSite({
      '/': page('Handbook', 'Welcome to the handbook, which says how widgets are cared for.', ['/care', '/old']),
      '/care': page('Care', 'Widgets are dusted twice a year, with a wet cloth and some patience.'),
      '/old': page('Old care', 'Widgets were dusted once a year before, with a dry cloth and no patience.'),
    })
    const docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
    others.push(docent)
    const sources = [{ url: `${site.url}/`, type: 'docs', label: 'Handbook', exclude: ['/nothing/*'] }]
    const given = { name: 'All', sources, uploads: ['docs'], structuredOutput: true, description: 'Everything' }
    const { slug, serverId } = (await docent.request('POST', '/api/mcp/create', given)).body
    await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=docs`, new Uint8Array(makeArchive(documents)))
    const detail = await docent.untilDone(slug)
    const ids = detail.sources.map(({ id }: { id: string }) => id) as string[]
    const rule = { serverId, sourceId: ids[0], naturalLanguage: 'Leave out the pages under /old of this source.' }
    expect((await docent.request('POST', '/api/retrieval-rules', rule)).status).toBe(200)
    const pin = { effect: 'first', questions: ['How often are widgets dusted?'], url: `${site.url}/care` }
    expect((await docent.request('POST', `/api/mcp/${slug}/pins`, pin)).status).toBe(200)
    original = { docent, slug, sources: ids }
    file = await exported(original)
  })
  afterAll(async () => {
    for (const part of [...others, site]) await part[Symbol.asyncDispose]()
  })

  test('has settings, sources, rules, pins and pages, and no secret', async () => {
    const lines = parse(file)
    const kinds = [...new Set(lines.map(({ kind }) => kind))]
    expect(kinds).toEqual(['docent-server', 'server', 'source', 'rule', 'pin', 'page', 'end'])
    expect(lines.filter(({ kind }) => kind === 'page').length).toBeGreaterThan(20)
    expect(file).not.toContain(original.docent.key)
    expect(file).not.toMatch(/accountId|acc_/)
  })

  test('makes a server with the same settings and the same answers to 100 questions', async () => {
    expect(QUESTIONS).toHaveLength(100)
    const copy = await imported(await open('sqlite'), file)
    const before = (await original.docent.request('GET', `/api/mcp/${original.slug}`)).body
    const after = (await copy.docent.request('GET', `/api/mcp/${copy.slug}`)).body
    for (const name of ['name', 'description', 'visibility', 'tools', 'refresh', 'structuredOutput', 'webPages'])
      expect([name, after[name]]).toEqual([name, before[name]])
    expect(
      after.sources.map(({ url, label, pagesIndexed, crawlStatus }: Line) => [url, label, pagesIndexed, crawlStatus]),
    ).toEqual(
      before.sources.map(({ url, label, pagesIndexed, crawlStatus }: Line) => [url, label, pagesIndexed, crawlStatus]),
    )
    const wanted = await answersOf(original)
    expect(wanted.filter((answer) => answer.includes('"confidence":"none"')).length).toBeLessThan(50)
    expect(await answersOf(copy)).toEqual(wanted)
    const pinned = await copy.docent.callTool(copy.slug, 'search_docs', { query: 'How often are widgets dusted?' })
    expect(pinned.result.content[0].text).toContain('The owner of this server chose [1]')
    expect(pinned.result.content[0].text).not.toContain('/old')
    // An export of the copy is the same file, but for ids and times.
    const again = parse(await exported(copy)).filter(({ kind }) => kind === 'page')
    const plain = ({ source: _, ...line }: Line) => line
    expect(again.map(plain)).toEqual(
      parse(file)
        .filter(({ kind }) => kind === 'page')
        .map(plain),
    )
  })

  test.skipIf(inject('postgresUrl') === '' || !inject('isLong'))(
    'answers the same from SQLite on PostgreSQL, and back',
    async () => {
      const wanted = await answersOf(original)
      const there = await imported(await open('postgres'), file)
      expect(await answersOf(there)).toEqual(wanted)
      const back = await imported(await open('sqlite'), await exported(there))
      expect(await answersOf(back)).toEqual(wanted)
    },
  )

  test('has the pages in the order of the index, on which vectors depend', async () => {
    const { docent, slug, sources } = original
    const order = (text: string) =>
      parse(text).flatMap(({ kind, source, url }) =>
        kind === 'page' && source === sources[0] ? new URL(url).pathname : [],
      )
    expect(order(file)).toEqual(['/', '/care', '/old'])
    site.pages.set('/care', page('Care', 'Widgets are dusted every day, with a brush.'))
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    await docent.untilDone(slug)
    expect(order(await exported(original))).toEqual(['/', '/old', '/care'])
  })

  test('becomes a private server with a token unless the request says otherwise', async () => {
    const { docent } = original
    const { body } = await docent.request('POST', '/api/server-files', new TextEncoder().encode(file))
    expect(body).toMatchObject({ visibility: 'private', accessToken: expect.stringMatching(/^dat_/) })
    await docent.untilDone(body.slug)
    const asked = { query: 'dust widgets' }
    expect(
      await docent.callTool(body.slug, 'search_docs', asked, { authorization: `Bearer ${body.accessToken}` }),
    ).toMatchObject({
      result: { content: [{ text: expect.stringContaining('twice a year') }] },
    })
    const priv = parse(file).map((line) => (line['kind'] === 'source' ? { ...line, isPrivate: true } : line))
    const open = await docent.request(
      'POST',
      '/api/server-files?visibility=public',
      new TextEncoder().encode(sealed(priv)),
    )
    expect(open.body).toMatchObject({ visibility: 'private' })
    await docent.untilDone(open.body.slug)
  })

  const change = (kind: string, how: (line: Line) => Line) => (lines: Line[]) => {
    const at = lines.findIndex((line) => line['kind'] === kind)
    return lines.map((line, index) => (index === at ? how(structuredClone(line)) : line))
  }
  const HOSTILE: [string, (lines: Line[]) => Line[]][] = [
    ['a passage beyond the text', change('page', (line) => ((line['chunks'].at(-1).end = 1e9), line))],
    ['a block beyond its passage', change('page', (line) => ((line['chunks'][0].blocks[0].end += 1e6), line))],
    ['passages that overlap', change('page', (line) => ({ ...line, chunks: [...line['chunks'], ...line['chunks']] }))],
    ['a page of no source', change('page', (line) => ({ ...line, source: 'src_other' }))],
    ['a page twice', (lines) => lines.flatMap((line) => (line['kind'] === 'page' ? [line, line] : [line]))],
    ['a rule about a foreign source', change('rule', (line) => ({ ...line, source: 'src_other' }))],
    ['a pin in a foreign source', change('pin', (line) => ({ ...line, source: 'src_other' }))],
    ['a source twice', (lines) => lines.flatMap((line) => (line['kind'] === 'source' ? [line, line] : [line]))],
    ['a source without an address', change('source', (line) => ({ ...line, url: 'file:///etc/passwd' }))],
    [
      'too many sources',
      (lines) =>
        lines.flatMap((line) =>
          line['kind'] === 'source'
            ? Array.from({ length: 1_001 }, (_, at) => ({ ...line, id: `src_${at}`, url: `https://a.example/${at}` }))
            : [line],
        ),
    ],
    ['no tools', change('server', (line) => ({ ...line, tools: [] }))],
    ['an unknown member', change('server', (line) => ({ ...line, accountId: 'acc_other' }))],
    ['another format', change('docent-server', (line) => ({ ...line, format: 2 }))],
    [
      'the server at the end',
      (lines) => lines.toSorted((a, b) => Number(a['kind'] === 'server') - Number(b['kind'] === 'server')),
    ],
    ['no server', (lines) => lines.filter(({ kind }) => kind !== 'server')],
  ]

  test.each(HOSTILE)('is refused with %s, and leaves nothing behind', async (_, make) => {
    const { docent } = original
    const before = (await docent.request('GET', '/api/mcp/list')).body
    const file_ = new TextEncoder().encode(sealed(make(parse(file))))
    const { status, body } = await docent.request('POST', '/api/server-files', file_)
    expect([status, body.error]).toEqual([400, 'server_file_damaged'])
    expect((await docent.request('GET', '/api/mcp/list')).body).toEqual(before)
    const live = async () =>
      docent.inStore((store) =>
        store.read.selectFrom('servers').select('id').where('deletedAt', 'is not', null).execute(),
      )
    await expect.poll(live).toEqual([])
  })

  test.each([
    ['it was cut off', () => file.slice(0, -200)],
    ['its last line is missing', () => join(parse(file).slice(0, -1))],
    ['one letter differs', () => file.replace('twice a year', 'thrice a year')],
    ['it goes on', () => `${file}{"kind":"end"}\n`],
    ['it is no JSON', () => 'hello\n'],
    ['it is empty', () => ''],
  ])('is refused if %s', async (_, make) => {
    const { docent } = original
    const { status } = await docent.request('POST', '/api/server-files', new Uint8Array(gzipSync(make())))
    expect(status).toBe(400)
  })

  test('is not made while a source is being indexed', async () => {
    const { docent, slug } = original
    await docent.inStore((store) =>
      store.write
        .updateTable('sources')
        .set({ crawlStatus: 'crawling' })
        .where('id', '=', original.sources[0] ?? '')
        .execute(),
    )
    const { status, body } = await docent.request('GET', `/api/mcp/${slug}/export`)
    expect([status, body.error]).toEqual([409, 'source_is_indexing'])
    await docent.inStore((store) =>
      store.write
        .updateTable('sources')
        .set({ crawlStatus: 'complete' })
        .where('id', '=', original.sources[0] ?? '')
        .execute(),
    )
  })

  describe('has bounds', () => {
    const read = async (bytes: Uint8Array, bounds: Parameters<typeof readServerFile>[1]) => {
      const chunks = async function* () {
        for (let at = 0; at < bytes.byteLength; at += 1_000) yield bytes.subarray(at, at + 1_000)
      }
      let lines = 0
      for await (const _ of readServerFile(chunks(), bounds)) lines++
      return lines
    }
    const small = () => sealed(parse(file).filter(({ kind }) => kind === 'docent-server' || kind === 'server'))
    const longest = () =>
      Math.max(
        ...small()
          .split('\n')
          .map((line) => Buffer.byteLength(line)),
      )

    test.each(['bytes', 'lines', 'line'] as const)('of %s, also within gzip', async (name) => {
      const text = Buffer.from(small())
      const most = { bytes: text.byteLength, lines: 3, line: longest() }
      for (const bytes of [text, gzipSync(text)]) {
        expect(await read(bytes, most)).toBe(3)
        await expect(read(bytes, { ...most, [name]: most[name] - 1 })).rejects.toMatchObject({
          code: 'payload_too_large',
        })
      }
    })

    test('that a bomb of gzip does not pass', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
      const bounds = { bytes: 1_000_000, lines: 10, line: 2_000_000 }
      await expect(read(bomb, bounds)).rejects.toMatchObject({ code: 'payload_too_large' })
    })
  })
})
