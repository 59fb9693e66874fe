import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type PageToBuild, runBuildTask } from './build-tasks.ts'
import { createRetriever, createSearchMemory } from './retrieve.ts'
import type { ByteRanges, LoadInParts, LoadSegment } from './segment/open-segment.ts'
import { startsOfGroups } from './segment/sections.ts'
import { samplePage } from '../../test/support/lib/sample-pages.ts'

const long = Array.from({ length: 30 }, (_, index) => `Paragraph ${index} about the proxy of the server.`).join('\n\n')
const pages = [
  samplePage('proxy', 'Proxy', [
    { heading: 'Setup', text: 'Set up the proxy.', code: { language: 'ts', text: 'proxy: {}\n\nport: 1' } },
    { heading: 'Details', text: long },
  ]),
  samplePage('cache', 'Cache', [{ heading: 'Cache and proxy', text: 'The cache of a proxy.' }]),
  ...Array.from({ length: 8 }, (_, index) =>
    samplePage(`copy-${index}`, 'Licence', [
      { heading: 'Licence', text: 'The very same licence of the proxy is on each page.' },
    ]),
  ),
]

function build(list: PageToBuild[]): Uint8Array {
  return runBuildTask({ kind: 'build', pages: list }) ?? new Uint8Array()
}

function setUp({ gone = [] as string[] } = {}) {
  const segments = new Map([
    ['a', build(pages.slice(0, 1))],
    ['b', build(pages.slice(1))],
  ])
  const loads: string[] = []
  const retriever = createRetriever(
    {
      loadSegment: async (id) => {
        loads.push(id)
        return segments.get(id) ?? null
      },
      loadTexts: async (_sourceId, hashes) =>
        new Map(
          pages
            .filter(({ page }) => hashes.includes(page.textHash) && !gone.includes(page.url))
            .map(({ page, markdown }) => [page.textHash, zstdCompressSync(Buffer.from(markdown))]),
        ),
    },
    createSearchMemory({ cacheBytes: 1_000_000 }),
  )
  return { retriever, segments, loads, server: { sources: [source('one', ['a']), source('two', ['b'])] } }
}

function source(id: string, segments: string[]) {
  return {
    id,
    url: '',
    type: 'docs' as const,
    label: null,
    crawlStatus: 'complete' as const,
    pagesFound: 1,
    pagesIndexed: 1,
    segments,
  }
}

const request = { query: 'proxy', limit: 5 }

describe('retrieve', () => {
  test('returns passages verbatim with their citations', async () => {
    const { retriever, server } = setUp()
    const { passages } = await retriever.retrieve(server, { query: 'set up the proxy', limit: 1, budget: 66 })
    expect(passages).toEqual([
      {
        rank: 1,
        score: expect.any(Number) as number,
        title: 'Proxy',
        headings: ['Setup'],
        heading: 'Setup',
        url: 'https://docs.test/proxy',
        sourceId: 'one',
        type: 'docs',
        turns: [],
        start: 0,
        passage: '# Proxy\n\n## Setup\n\nSet up the proxy.\n\n```ts\nproxy: {}\n\nport: 1\n```',
        blocks: [
          { kind: 'heading', level: 1, text: 'Proxy', anchor: 'proxy', start: 0, end: 7 },
          { kind: 'heading', level: 2, text: 'Setup', anchor: 'setup', start: 9, end: 17 },
          { kind: 'paragraph', start: 19, end: 36 },
          { kind: 'code', start: 38, end: 66, codeStart: 44, codeEnd: 62, language: 'ts' },
        ],
        code: [{ language: 'ts', text: 'proxy: {}\n\nport: 1', start: 44 }],
      },
    ])
  })

  test('omits near-duplicates', async () => {
    const { retriever, server } = setUp()
    const { passages } = await retriever.retrieve(server, { query: 'licence', limit: 10 })
    expect(passages.filter(({ title }) => title === 'Licence')).toHaveLength(1)
  })

  test('respects the budget and cuts after a block', async () => {
    const { retriever, server } = setUp()
    for (const budget of [300, 600, 1_200]) {
      const { passages } = await retriever.retrieve(server, { ...request, budget })
      const bytes = passages.reduce((sum, { passage }) => sum + Buffer.byteLength(passage), 0)
      expect(bytes).toBeLessThanOrEqual(budget)
      for (const { passage } of passages) expect(passage).toMatch(/[.`]$/)
    }
  })

  test('continues from an offset without gaps or repetition', async () => {
    const { retriever, server } = setUp()
    const all = await retriever.retrieve(server, { query: 'proxy', limit: 50, budget: 100_000 })
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page = await retriever.retrieve(server, { query: 'proxy', limit: 1, offset, budget: 100_000 })
      seen.push(...page.passages.map(({ rank, url, heading }) => `${rank} ${url} ${heading}`))
      offset = page.nextOffset
    }
    expect(seen).toEqual(all.passages.map(({ rank, url, heading }) => `${rank} ${url} ${heading}`))
    expect(all.nextOffset).toBeNull()
  })

  test('searches only the requested sources', async () => {
    const { retriever, server, loads } = setUp()
    const { passages } = await retriever.retrieve(server, { ...request, sourceId: 'two' })
    expect(new Set(passages.map(({ sourceId }) => sourceId))).toEqual(new Set(['two']))
    expect(loads).toEqual(['b'])
    expect((await retriever.retrieve(server, { ...request, type: 'pdf' })).passages).toEqual([])
  })

  test('answers without missing segments and texts', async () => {
    const { retriever, server, segments } = setUp({ gone: ['https://docs.test/cache'] })
    segments.delete('a')
    const { passages } = await retriever.retrieve(server, request)
    expect(passages.map(({ title }) => title)).toEqual(['Licence'])
  })

  test('replaces a passage without text by the next one and continues after it', async () => {
    const whole = setUp()
    const { passages } = await whole.retriever.retrieve(whole.server, request)
    const pageOf = (url = '') => url.split('#', 1)[0] ?? ''
    const first = pageOf(passages[0]?.url)
    const next = passages.find(({ url }) => pageOf(url) !== first)
    const { retriever, server } = setUp({ gone: [first] })
    const answer = await retriever.retrieve(server, { ...request, limit: 1 })
    expect(answer.passages.map(({ url, rank }) => [url, rank])).toEqual([[next?.url, next?.rank]])
    expect(answer.nextOffset).toBe(passages.length === next?.rank ? null : next?.rank)
  })

  test('prefers the later copy of a page during reindexing', async () => {
    const { retriever, segments } = setUp()
    const changed = samplePage('cache', 'Cache', [
      { heading: 'Cache and proxy', text: 'Changed words about the proxy.' },
    ])
    segments.set('c', build([changed]))
    const { passages } = await retriever.retrieve(
      { sources: [source('two', ['b', 'c'])] },
      { query: 'cache proxy', limit: 9 },
    )
    expect(passages.filter(({ url }) => url.includes('/cache'))).toHaveLength(1)
  })

  test('rejects with the reason of its signal', async () => {
    const { retriever, server } = setUp()
    await expect(retriever.retrieve(server, request, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  test('loads a segment once for concurrent requests', async () => {
    const { retriever, server, loads } = setUp()
    await Promise.all(Array.from({ length: 20 }, () => retriever.retrieve(server, request)))
    expect(loads.toSorted()).toEqual(['a', 'b'])
  })

  test('reports a damaged segment', async () => {
    const { retriever, server, segments } = setUp()
    segments.set('a', new Uint8Array(100))
    await expect(retriever.retrieve(server, request)).rejects.toThrow('not a segment')
  })
})

describe('partial segments', () => {
  /** Words with typical beginnings, so that corrections have candidates. */
  const word = (n: number) =>
    `${['con', 'pro', 'ser', 'lo'][n % 4] ?? ''}${['figur', 'xy', 'ver', 'gger', 'cess'][n % 5] ?? ''}${n % 7}`
  const text = (n: number) =>
    Array.from({ length: 34 }, (_, at) => word(n * 3 + at * at * 7 + ((n * at) % 11))).join(' ')
  const many = Array.from({ length: 300 }, (_, n) =>
    samplePage(`page-${n}`, `About ${word(n)}`, [
      { heading: `Use ${word(n + 1)}`, text: `${text(n)}. Set path.join${n}.` },
    ]),
  )
  const buildSome = (from: number) => {
    const built = runBuildTask({ kind: 'build', pages: many.slice(from, from + 150) }) ?? new Uint8Array()
    return runBuildTask({ kind: 'merge', segments: [built], keep: null }) ?? built
  }
  const files = new Map([
    ['a', buildSome(0)],
    ['b', buildSome(150)],
  ])
  const server = { sources: [source('one', ['a']), source('two', ['b'])] }
  const loadTexts = async (_: string, hashes: string[]) =>
    new Map(
      many
        .filter(({ page }) => hashes.includes(page.textHash))
        .map(({ page, markdown }) => [page.textHash, zstdCompressSync(Buffer.from(markdown))]),
    )

  /** Loads of segments whose bytes are wrong until they have been read. */
  function loadInParts(gone: readonly string[] = []) {
    const memory = new Map([...files].map(([id, file]) => [id, Buffer.from(new SharedArrayBuffer(file.byteLength))]))
    const rounds: string[] = []
    const copy = (id: string, from: number, to: number) =>
      memory.get(id)?.set(files.get(id)?.subarray(from, to) ?? [], from)
    return {
      rounds,
      async open(id: string) {
        const starts = startsOfGroups(files.get(id) ?? new Uint8Array())
        memory.get(id)?.fill(0xa5)
        copy(id, 0, starts[0] ?? 0)
        return { bytes: new Uint8Array(memory.get(id)?.buffer ?? new ArrayBuffer(0)), isWhole: false }
      },
      async read(id: string, ranges: ByteRanges | null) {
        const [later = 0, byTerm = 0] = startsOfGroups(files.get(id) ?? new Uint8Array())
        rounds.push(ranges === null ? `${id} whole` : id)
        if (gone.includes(id)) return false
        copy(id, later, ranges === null ? Infinity : byTerm)
        for (const [from, to] of ranges ?? []) copy(id, from, to)
        return true
      },
    }
  }
  const retrieverOf = (loadSegment: LoadInParts | LoadSegment) =>
    createRetriever({ loadSegment, loadTexts }, createSearchMemory({ cacheBytes: 1_000_000 }))
  const whole = retrieverOf(async (id) => files.get(id) ?? null)

  test.each([
    ['confgur0 prover3'],
    [`how do I use ${word(3)} with ${word(9)}?`],
    ['path.join7 and path.join8'],
    [`nosuchword ${word(1)}x`],
    ['the of and'],
    [`${word(2)} ${word(4)} ${word(6)} ${word(8)} ${word(10)} serverr2`],
  ])('answer "%s" as whole ones do, after two rounds of reads at most', async (query) => {
    const load = loadInParts()
    const partial = retrieverOf(load)
    const asked = { query, limit: 8 }
    expect(await partial.retrieve(server, asked)).toEqual(await whole.retrieve(server, asked))
    expect(load.rounds.length).toBeLessThanOrEqual(4)
    const again = { query: `${word(5)} ${query}`, limit: 8 }
    expect(await partial.retrieve(server, again)).toEqual(await whole.retrieve(server, again))
    expect(load.rounds.some((round) => round.endsWith('whole'))).toBe(false)
  })

  test('are read whole for lists of pages and for requests of a type', async () => {
    const load = loadInParts()
    const partial = retrieverOf(load)
    await partial.retrieve(server, { query: word(1), limit: 1 })
    const parts = await partial.parts(server, {})
    expect(parts.map(({ segment }) => segment.partial)).toEqual([null, null])
    expect(load.rounds).toEqual(['a', 'b', 'a whole', 'b whole'])
    const typed = { query: word(1), limit: 3, type: 'docs' as const }
    expect(await retrieverOf(loadInParts()).retrieve(server, typed)).toEqual(await whole.retrieve(server, typed))
  })

  test('that are gone count as replaced ones', async () => {
    const { passages } = await retrieverOf(loadInParts(['a'])).retrieve(server, { query: word(1), limit: 8 })
    expect(new Set(passages.map(({ sourceId }) => sourceId))).toEqual(new Set(['two']))
  })
})
