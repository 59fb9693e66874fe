import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openSegment } from '#search/segment/open-segment.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { samplePage, type SamplePage, someQuery, somePages } from '../../../test/support/lib/sample-pages.ts'
import { openCorpus } from '../../../test/support/sites/corpora.ts'
import type { RankedChunk } from './fuse.ts'
import { createRanker } from './rank.ts'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'

const naughty = await openCorpus('blns')

const SECTION = { heading: 'Overview', text: 'Nothing in particular is said here.' }

function corpusOf(...pages: SamplePage[]) {
  const builder = new SegmentBuilder()
  for (const { page, markdown } of pages) builder.add(page, markdown)
  return [{ segment: openSegment(builder.finish()), sourceId: 'source', type: 'docs' as const }]
}

function found(parts: ReturnType<typeof corpusOf>, query: string): string[] {
  const { chunks } = createRanker()(parts, { query }, 100)
  return [...new Set(chunks.map(({ part, page }) => new URL(part.segment.url(page)).pathname.slice(1)))]
}

const site = corpusOf(
  samplePage('proxy', 'Server options', [
    { heading: 'server.proxy', text: 'Configure a proxy for requests of the dev server.' },
  ]),
  samplePage('effects', 'useEffect', [{ heading: 'Reference', text: 'Call `useEffect` to connect a component.' }]),
  samplePage('hosting', 'Hosting', [
    { heading: 'Behind a proxy', text: 'When the service runs behind nginx, trust it.' },
  ]),
  samplePage('constructor', 'Classes', [{ heading: 'constructor', text: 'The constructor of a class.' }]),
  samplePage('chinese', '配置', [{ heading: '服务器', text: '如何配置开发服务器的代理' }]),
  samplePage('german', 'Häuser', [{ heading: 'Bauen', text: 'Viele Häuser werden gebaut.' }]),
  samplePage('finders', 'Finders', [{ heading: 'By key', text: 'Call `find_by_id` with a key.' }]),
  samplePage('borrowing', 'borrow_as_ptr', [SECTION]),
  samplePage('other', 'Other', [SECTION]),
)

test.each(['first', 'second'])('ranks a definition above a use when it is %s', (place) => {
  const defining = 'fn next_page(&mut self) -> Page {\n    self.cursor.advance();\n}'
  const using = 'let page = reader.next_page();\nreader.cursor.advance();\nprint(page);'
  const parts = corpusOf(
    samplePage('first', 'Part', [{ heading: 'Code', text: place === 'first' ? defining : using }]),
    samplePage('second', 'Part', [{ heading: 'Code', text: place === 'first' ? using : defining }]),
    samplePage('third', 'Other', [SECTION]),
  )
  expect(found(parts, 'purpose of the next_page function')[0]).toBe(place)
})

describe('words and symbols of a query', () => {
  const apart = 'The request of a page is sent to the handler, which closes a route.'
  const together = 'The page of a request closes, which is sent to the route handler.'

  test.each([
    ['together before one with the words apart', together, apart],
    ['apart after one with the words together', apart, together],
  ])('ranks a passage with the words %s', (_, first, second) => {
    const parts = corpusOf(
      samplePage('first', 'Page', [{ heading: 'Overview', text: first }]),
      samplePage('second', 'Page', [{ heading: 'Overview', text: second }]),
      samplePage('third', 'Other', [SECTION]),
    )
    expect(found(parts, 'request of a route handler')[0]).toBe(first === together ? 'first' : 'second')
  })

  test('finds a symbol by its name', () => {
    const parts = corpusOf(
      samplePage('comma', 'Commas', [{ heading: 'Comma', text: 'No space before a comma.' }]),
      samplePage('brace', 'Braces', [{ heading: 'Brace', text: 'No space before a brace.' }]),
    )
    expect(found(parts, "unexpected space before ','")[0]).toBe('comma')
    expect(found(parts, "unexpected space before '}'")[0]).toBe('brace')
  })
})

describe('a query for a page', () => {
  test.each([
    ['by its subject', 'how do I proxy requests in the dev server', 'proxy'],
    ['by a dotted name', 'server.proxy', 'proxy'],
    ['by an identifier', 'useEffect', 'effects'],
    ['by an identifier in lower case', 'useeffect', 'effects'],
    ['by parts of an identifier', 'use effect', 'effects'],
    ['by an underscored name in one word', 'findbyid', 'finders'],
    ['by words of an underscored title', 'borrow a ptr', 'borrowing'],
    ['by the name of an object property', 'constructor', 'constructor'],
    ['despite a typo', 'behind ngnix', 'hosting'],
    ['despite a wrong first letter', 'behind mginx', 'hosting'],
    ['despite a missing first letter', 'onfigure', 'proxy'],
    ['despite a typo in an identifier', 'useEfect', 'effects'],
    ['in a script without spaces', '服务器代理', 'chinese'],
    ['despite missing accents', 'hauser', 'german'],
    ['by a stop word alone', 'Other', 'other'],
  ])('finds a page %s', (_, query, page) => {
    expect(found(site, query)[0]).toBe(page)
  })

  test('reports the corrected words', () => {
    expect(createRanker()(site, { query: 'ngnix constructor' }, 9).repaired).toEqual([['ngnix', 'nginx']])
  })

  test.each(['conform', 'bakes', 'baking', 'baked', 'Scheme', 'rollbacks', 'ipv6'])(
    'leaves the correctly spelt word "%s" unchanged',
    (query) => {
      const text = 'Please confirm that you make, made, making and makes a schema for the rollbank of ipv4 here.'
      const pages = corpusOf(samplePage('words', 'Words', [{ heading: 'Words', text }]))
      expect(createRanker()(pages, { query: `${query} things` }, 9).repaired).toEqual([])
    },
  )

  test.each([
    ['confrim', 'confirm'],
    ['scehma', 'schema'],
    ['shcema', 'schema'],
    ['ip4v', 'ipv4'],
    ['oauht2', 'oauth2'],
  ])('corrects the spelling of "%s"', (query, meant) => {
    const text = 'Please confirm that you make a schema for the users of oauth2 and ipv4 here.'
    const pages = corpusOf(samplePage('words', 'Words', [{ heading: 'Words', text }]))
    expect(createRanker()(pages, { query: `${query} things` }, 9).repaired).toEqual([[query, meant]])
  })

  test('finds a plural without a stemmer and reports no correction', () => {
    const { page, markdown } = samplePage('tenants', '租户', [{ heading: '租户', text: '使用 subtenant 服务器' }])
    const pages = corpusOf({ page: { ...page, language: 'zh' }, markdown })
    const { repaired, words } = createRanker()(pages, { query: 'subtenants' }, 9)
    expect([repaired, words.map(({ word }) => word)]).toEqual([[], ['subtenant']])
  })

  test('keeps a known word despite similar rare words', () => {
    expect(createRanker()(site, { query: 'proxy' }, 9).repaired).toEqual([])
  })

  test('finds nothing if none of the words occur', () => {
    for (const query of ['qqqqqqq', '', '   ', '?!', '\u0000', '🦄']) expect(found(site, query)).toEqual([])
  })
})

describe('a filter', () => {
  const parts = corpusOf(
    samplePage('guide/a', 'Proxy', [
      { heading: 'Text', text: 'A proxy without code.' },
      { heading: 'Code', text: 'A proxy.', code: { language: 'ts', text: 'proxy()' } },
    ]),
    samplePage('api/b', 'Proxy', [{ heading: 'Shell', text: 'A proxy.', code: { language: 'bash', text: 'proxy' } }]),
    samplePage('api/c', 'Proxy', [{ heading: 'Text', text: 'A proxy.' }]),
  )
  const shown = (filter: { path?: string; code?: true | string }) =>
    createRanker()(parts, { query: 'proxy', ...filter }, 9)
      .chunks.map(({ part, page, chunk }) => {
        const { url, chunk: passage } = part.segment.passage(page, chunk)
        return `${new URL(url).pathname} ${passage.headings.join()}`
      })
      .toSorted()

  test.each([
    [{ path: '/api' }, ['/api/b Shell', '/api/c Text']],
    [{ path: 'guide/' }, ['/guide/a Code', '/guide/a Text']],
    [{ path: '*/b' }, ['/api/b Shell']],
    [{ path: '/api/*c' }, ['/api/c Text']],
    [{ path: '/none' }, []],
    [{ code: true as const }, ['/api/b Shell', '/guide/a Code']],
    [{ code: 'TypeScript' }, ['/guide/a Code']],
    [{ code: 'sh' }, ['/api/b Shell']],
    [{ code: 'cobol' }, []],
    [{ path: '/guide', code: 'bash' }, []],
  ])('applies the filter %j and keeps %j', (filter, expected) => {
    expect(shown(filter)).toEqual(expected)
  })

  test('finds a page by its title among many better ones without code', () => {
    const better = Array.from({ length: 60 }, (_, at) =>
      samplePage(`better/${at}`, 'Gizmo', [{ heading: 'Gizmo', text: 'A gizmo of gizmos.' }]),
    )
    const code = { language: 'ts', text: 'start()' }
    const own = samplePage('own', 'All about the gizmo', [{ heading: 'Start', text: 'Start here.', code }])
    const { chunks } = createRanker()(corpusOf(...better, own), { query: 'gizmo', code: true }, 5)
    expect(chunks.map(({ part, page }) => part.segment.url(page))).toEqual(['https://docs.test/own'])
  })
})

describe('hostile queries', () => {
  const cases = [
    ['extreme length', 'proxy '.repeat(100_000)],
    ['one word of a megabyte', 'x'.repeat(1_000_000)],
    ['lone surrogates', '\ud800 proxy \udfff\ud83d'],
    ['object property names', '__proto__ hasOwnProperty toString valueOf constructor'],
    ['combining marks', `proxy${'\u0301'.repeat(10_000)}`],
    ['regex syntax', '(a+)+$ [[[ \\ ^*'],
  ] as const

  test.each(cases)('answers a query of %s in bounded time', (_, query) => {
    expect(cpuSeconds(() => expect(createRanker()(site, { query }, 100)).toBeDefined())).toBeLessThan(4)
  })

  test.skipIf(naughty === null)('answers the corpus of naughty strings', () => {
    const queries = JSON.parse(readFileSync(join(naughty ?? '', 'blns.json'), 'utf8')) as string[]
    expect(queries.length).toBeGreaterThan(400)
    for (const query of queries)
      expect(createRanker()(site, { query, path: query, code: query || true }, 9)).toBeDefined()
  })
})

function passagesByPage(chunks: readonly RankedChunk[]): Map<number, { chunk: number; score: number }[]> {
  const byPage = new Map<number, { chunk: number; score: number }[]>()
  for (const { page, chunk, score } of chunks) byPage.set(page, [...(byPage.get(page) ?? []), { chunk, score }])
  return byPage
}

test('returns the same passages for the top pages at any depth', () => {
  const rank = createRanker()
  fc.assert(
    fc.property(somePages(30), someQuery, fc.integer({ min: 1, max: 4 }), (pages, query, depth) => {
      const parts = corpusOf(...pages)
      const all = passagesByPage(rank(parts, { query }, 100).chunks)
      const few = passagesByPage(rank(parts, { query }, depth).chunks)
      for (const [page, passages] of few) expect(passages).toEqual(all.get(page))
      // Ties between pages are ignored.
      const bestScores = (found: typeof all) => [...found.values()].map(([best]) => best?.score)
      expect(bestScores(few)).toEqual(bestScores(all).slice(0, depth))
    }),
  )
})

describe('other forms of a word', () => {
  const parts = corpusOf(
    samplePage('whole', 'Part', [{ heading: 'Values', text: 'Returns an integer for the setting.' }]),
    samplePage('short', 'Part', [{ heading: 'Values', text: 'Returns an int for the setting.' }]),
    samplePage('bool', 'Part', [{ heading: 'Flags', text: 'Returns a bool for the flag.' }]),
    samplePage('other', 'Other', [SECTION]),
  )

  test('are found after the word itself', () => {
    expect(found(parts, 'integer')).toEqual(['whole', 'short'])
    expect(found(parts, 'int')).toEqual(['short', 'whole'])
  })

  test('are not corrected to another word', () => {
    expect(createRanker()(parts, { query: 'boolean' }, 100).repaired).toEqual([])
    expect(found(parts, 'boolean')).toEqual(['bool'])
  })
})
