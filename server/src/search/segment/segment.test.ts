import fc from 'fast-check'
import type { Block, Entry } from '#documents/model/document.ts'
import { describe, expect, test } from 'vitest'
import { elementAt } from '#lib/arrays.ts'
import { runBuildTask } from '#search/build-tasks.ts'
import { samplePage, type SamplePage, somePages } from '../../../test/support/lib/sample-pages.ts'
import { createRanker } from '#search/rank/rank.ts'
import { mergeSegments } from './merge-segments.ts'
import { openSegment } from './open-segment.ts'
import { visitPostings } from './postings.ts'
import { SegmentBuilder } from './segment-builder.ts'

function build(pages: readonly SamplePage[]): Uint8Array {
  const builder = new SegmentBuilder()
  for (const { page, markdown } of pages) builder.add(page, markdown)
  return builder.finish()
}

describe('a segment', () => {
  test('returns the added pages unchanged', () => {
    fc.assert(
      fc.property(somePages(60), (pages) => {
        const segment = openSegment(build(pages))
        expect(segment.pageCount).toBe(pages.length)
        for (const [index, { page }] of pages.entries()) {
          const { url, title, textHash, chunks } = page
          expect(segment.record(index)).toEqual({ url, title, textHash, chunks })
          expect(segment.url(index)).toBe(url)
          for (const [at, chunk] of chunks.entries())
            expect(segment.passage(index, elementAt(segment.pageChunks, index) + at)).toEqual({
              url,
              title,
              textHash,
              chunk,
            })
        }
      }),
      { numRuns: 30 },
    )
  })

  test('keeps the blocks and entries of a passage and the data after them', () => {
    const { page, markdown } = samplePage('a', 'A', [
      { heading: 'One', text: 'x' },
      { heading: 'Two', text: 'y' },
    ])
    const [one, two] = page.chunks
    if (!one || !two) throw new Error('no chunks')
    const heading = { kind: 'heading', text: 'A', level: 1 } as const
    const blocks: Block[] = [
      { ...heading, start: 0, end: 3, anchor: 'a', declares: true },
      { ...heading, start: 4, end: 5, anchor: null, continues: true },
      { ...heading, start: 5, end: 6, anchor: 'own-anchor' },
      { kind: 'code', start: 6, end: 12, codeStart: 8, codeEnd: 9, language: 'ts', resumes: 1 },
      { kind: 'definition', start: 12, end: 12, resumes: 0 },
      { kind: 'table', start: 13, end: 14, continues: true },
    ]
    const entries: Entry[] = [
      { kind: 'option', start: 2, end: 9, name: { start: 3, end: 5 }, keys: [0, 0xff_ff_ff_ff] },
      { kind: 'question', start: 2, end: 2, name: { start: 2, end: 2 }, keys: [] },
    ]
    const chunks = [{ ...one, blocks, entries }, two]
    const segment = openSegment(build([{ page: { ...page, chunks }, markdown }]))
    expect(segment.record(0).chunks).toEqual(chunks)
    expect(segment.passage(0, 1).chunk).toEqual(two)
  })

  test('keeps the anchors inside a passage and the data after them', () => {
    const { page, markdown } = samplePage('a', 'A', [
      { heading: 'One', text: 'x' },
      { heading: 'Two', text: 'y' },
    ])
    const [one, two] = page.chunks
    if (!one || !two) throw new Error('no chunks')
    const turns = [
      { start: one.start + 2, anchor: 'page=8' },
      { start: one.start + 3, anchor: 'page=9' },
    ]
    const chunks = [{ ...one, anchor: null, turns }, two]
    const segment = openSegment(build([{ page: { ...page, chunks }, markdown }]))
    expect(segment.record(0).chunks).toEqual(chunks)
    expect(segment.passage(0, 1).chunk).toEqual(two)
  })

  test('finds all of its terms and no others', () => {
    fc.assert(
      fc.property(somePages(40), fc.string(), (pages, other) => {
        const { terms } = openSegment(build(pages))
        const keys: string[] = []
        terms.walk((key, entry) => {
          keys.push(key)
          expect(terms.find(key)).toEqual(entry)
        })
        expect(keys).toHaveLength(terms.size)
        expect(terms.find(other) !== null).toBe(keys.includes(other))
      }),
      { numRuns: 30 },
    )
  })

  test.each([
    ['2,000 letters', 'x'.repeat(2_000)],
    ['letters that expand under normalisation', '\uFDFA'.repeat(64)],
    ['the maximum key length', 'é'.repeat(64)],
  ])('merges pages with words of %s', (_, word) => {
    const pages = ['one', 'two'].map((path) =>
      samplePage(path, 'Title', [{ heading: 'Part', text: `Some ${word} text.` }]),
    )
    const segments = pages.map((page) => openSegment(build([page])))
    const merged = openSegment(mergeSegments(segments, { keep: () => true, anchorTexts: () => null }))
    expect(merged.pageCount).toBe(2)
  })

  test('lists terms by prefix and decodes only the wanted ones', () => {
    fc.assert(
      fc.property(
        somePages(40),
        fc.constantFrom('', 'p', 'pro', 'r', '配', 'zz', 'x'.repeat(1_025)),
        (pages, prefix) => {
          const { terms } = openSegment(build(pages))
          const collectKeys = (range?: Parameters<typeof terms.walk>[1]) => {
            const keys: string[] = []
            terms.walk((key) => keys.push(key), range)
            return keys
          }
          const begun = collectKeys().filter((key) => key.startsWith(prefix))
          expect(collectKeys({ prefix })).toEqual(begun)
          const isWanted = (key: Uint8Array, length: number) => key.subarray(0, length).at(-1) !== 114
          expect(collectKeys({ prefix, isWanted })).toEqual(begun.filter((key) => !key.endsWith('r')))
        },
      ),
      { numRuns: 30 },
    )
  })

  test('lists the passages with a term', () => {
    const pages = Array.from({ length: 200 }, (_, index) =>
      samplePage(`p${index}`, 'Page', [
        { heading: 'First', text: 'common words' },
        { heading: 'Second', text: index % 3 === 0 ? 'common rare' : 'nothing' },
      ]),
    )
    const segment = openSegment(build(pages))
    const chunks: string[] = []
    const entry = segment.terms.find('rare') ?? { start: 0, end: 0 }
    let page = -1
    visitPostings(segment, entry, {
      page: (number) => (page = number),
      chunk: (chunk) => chunks.push(`${page}/${chunk}`),
    })
    expect(chunks).toEqual(Array.from({ length: 67 }, (_, index) => `${index * 3}/1`))
  })

  test('handles words that are properties of plain objects', () => {
    const segment = openSegment(build([samplePage('a', 'constructor', [{ heading: '__proto__', text: 'toString' }])]))
    for (const term of ['constructor', 'proto', 'tostr']) expect(segment.terms.find(term)).not.toBeNull()
    expect(segment.terms.find('valueof')).toBeNull()
  })

  test('opens without pages', () => {
    const segment = openSegment(build([]))
    expect(segment.pageCount).toBe(0)
    expect(segment.terms.find('anything')).toBeNull()
  })

  test('opens from bytes at any offset of their buffer', () => {
    const bytes = build([samplePage('a', 'Title', [{ heading: 'One', text: 'word' }])])
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(openSegment(shifted.subarray(3)).record(0).title).toBe('Title')
  })
})

describe('invalid segment bytes', () => {
  const bytes = build([samplePage('a', 'Title', [{ heading: 'One', text: 'word' }])])
  const changed = (at: number, value: number) => {
    const copy = bytes.slice()
    copy[at] = value
    return copy
  }

  test.each([
    ['an empty file', new Uint8Array(0), 'SegmentError', 'cut off'],
    ['a text file', new TextEncoder().encode('This is only a text, and no segment.'), 'SegmentError', 'not a segment'],
    ['a truncated segment', bytes.subarray(0, bytes.length - 8), 'SegmentError', 'cut off'],
    ['an older format', changed(4, 1), 'SegmentFormatError', 'format 1'],
    ['a newer format', changed(4, 9), 'SegmentFormatError', 'format 9'],
    ['a damaged table', changed(20, 255), 'SegmentError', 'damaged'],
  ])('rejects %s', (_, given, name, message) => {
    expect(() => openSegment(given)).toThrow(
      expect.objectContaining({ name, message: expect.stringContaining(message) }),
    )
  })

  test('reports damaged bytes or returns wrong answers, but never hangs', () => {
    const rank = createRanker()
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        try {
          const segment = openSegment(changed(at, value))
          for (let page = 0; page < segment.pageCount; page++) segment.record(page)
          segment.terms.walk((_, entry) => {
            visitPostings(segment, entry, { page: () => undefined, chunk: () => undefined })
          })
          rank([{ segment, sourceId: 'one', type: 'docs' }], { query: 'title word wrod' }, 5)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a merge', () => {
  test('yields the same segment as a build of all pages', () => {
    fc.assert(
      fc.property(somePages(60), fc.nat(60), (pages, at) => {
        const parts = [build(pages.slice(0, at)), build(pages.slice(at))].map(openSegment)
        expect(mergeSegments(parts, { keep: () => true, anchorTexts: () => null })).toEqual(build(pages))
      }),
      { numRuns: 40 },
    )
  })

  test('yields the same segment as a build of the kept pages, except for spellings', () => {
    fc.assert(
      fc.property(somePages(60), fc.nat(6), (pages, every) => {
        const keep = (index: number) => index % (every + 2) !== 0
        const merged = openSegment(
          mergeSegments([openSegment(build(pages))], { keep: (_, page) => keep(page), anchorTexts: () => null }),
        )
        const built = openSegment(build(pages.filter((_, index) => keep(index))))
        expect(merged.counters).toEqual(built.counters)
        expect(merged.postings).toEqual(built.postings)
        expect(merged.terms.size).toBe(built.terms.size)
        for (let page = 0; page < built.pageCount; page++) expect(merged.record(page)).toEqual(built.record(page))
      }),
      { numRuns: 40 },
    )
  })

  const withTexts = (pages: readonly SamplePage[], textsOf: (index: number) => string[]) =>
    pages.map(({ page, markdown }, index) => ({ page: { ...page, anchorTexts: textsOf(index) }, markdown }))
  const keeping = (pages: readonly SamplePage[]) =>
    pages.map(({ page: { url, textHash, anchorTexts } }) => ({ url, textHash, anchorTexts }))

  test('yields the same segment as a build with the new link texts', () => {
    const texts = fc.array(
      fc.array(fc.constantFrom('common', 'rare words', 'Zebra crossings', 'page_title'), { maxLength: 4 }),
    )
    fc.assert(
      fc.property(somePages(60), fc.nat(60), texts, (pages, at, lists) => {
        const bare = withTexts(pages, () => [])
        const wanted = withTexts(pages, (index) => lists[index % (lists.length || 1)] ?? [])
        const segments = [build(bare.slice(0, at)), build(bare.slice(at))]
        const merged = runBuildTask({ kind: 'merge', segments, keep: keeping(wanted) })
        const built = runBuildTask({ kind: 'merge', segments: [build(wanted)], keep: null }) ?? build(wanted)
        expect(merged).toEqual(built)
      }),
      { numRuns: 40 },
    )
  })

  test('removes old link texts and keeps unchanged ones', () => {
    const pages = ['a', 'b'].map((name) => samplePage(name, 'Page', [{ heading: 'One', text: 'plain words' }]))
    const linked = withTexts(pages, (index) => (index === 0 ? ['zebra', 'plain'] : ['giraffe']))
    const before = runBuildTask({ kind: 'merge', segments: [build(pages)], keep: keeping(linked) }) ?? new Uint8Array()
    expect(runBuildTask({ kind: 'merge', segments: [before], keep: keeping(linked) })).toBeNull()
    const changed = withTexts(pages, (index) => (index === 0 ? ['okapi'] : ['giraffe']))
    const after = runBuildTask({ kind: 'merge', segments: [before], keep: keeping(changed) }) ?? new Uint8Array()
    expect(openSegment(after).terms.find('zebra')).toBeNull()
    expect(openSegment(after)).toMatchObject({ counters: openSegment(build(changed)).counters })
    expect(openSegment(after).postings).toEqual(openSegment(build(changed)).postings)
  })

  test('keeps the latest copy of a page with the wanted text', () => {
    const old = samplePage('a', 'Old', [{ heading: 'One', text: 'before' }])
    const changed = { ...samplePage('a', 'New', [{ heading: 'One', text: 'after' }]) }
    const gone = samplePage('b', 'Gone', [{ heading: 'One', text: 'gone' }])
    const segments = [build([old, gone]), build([changed])]
    const bytes = runBuildTask({
      kind: 'merge',
      segments,
      keep: [{ url: changed.page.url, textHash: changed.page.textHash }],
    })
    const merged = openSegment(bytes ?? new Uint8Array())
    expect(merged.pageCount).toBe(1)
    expect(merged.record(0).title).toBe('New')
    expect(merged.terms.find('gone')).toBeNull()
  })

  test('returns null for a single segment without changes', () => {
    expect(runBuildTask({ kind: 'merge', segments: [build([])], keep: [] })).toBeNull()
  })
})
