import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementAt } from '#lib/arrays.ts'
import {
  ANCHORS_LEVELS,
  bodyCount,
  CHUNK_BITS,
  codeCount,
  headingLevel,
  headingsCount,
  PAGE_BITS,
  titleCount,
  LENGTHS,
} from '#search/segment/field-codes.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { openSegment, type Segment } from '#search/segment/open-segment.ts'
import { visitPostings } from '#search/segment/postings.ts'
import { SegmentBuilder } from '#search/segment/segment-builder.ts'
import { type SamplePage, somePages } from '../../../test/support/lib/sample-pages.ts'
import { WEIGHTS } from '#search/weights.ts'
import { makeFrequencies, makeNorms } from './corpus.ts'
import { MOST_CHUNK_VALUE, pageValue, placeOfPage, WINDOW_BITS } from './packed-impacts.ts'
import { makeImpacts, type TermImpacts } from './term-impacts.ts'

const RARITY = { chunkIdf: 2, fields: [3, 5, 7, 11, 13, 17] }

function segmentOf(pages: readonly SamplePage[]): Segment {
  const builder = new SegmentBuilder()
  for (const { page, markdown } of pages) builder.add(page, markdown)
  return openSegment(builder.finish())
}

function impactsOf(segment: Segment, entry: Pick<DictionaryEntry, 'start' | 'end'>): TermImpacts {
  const norms = makeNorms(segment.counters, WEIGHTS)
  return makeImpacts({ segment, windowBits: WINDOW_BITS }, entry, RARITY, {
    norms,
    frequencies: makeFrequencies(),
    weights: WEIGHTS,
  })
}

function entriesOf(segment: Segment): DictionaryEntry[] {
  const entries: DictionaryEntry[] = []
  segment.terms.walk((_, entry) => {
    entries.push(entry)
  })
  return entries
}

/** Unpacks impacts into numbers in the segment, and scores. */
function unpack(segment: Segment, impacts: TermImpacts) {
  const { windowCount, windows, pageStarts, chunkStarts, pageStep, chunkStep } = impacts
  return Array.from({ length: windowCount }, (_, at) => {
    const firstPage = elementAt(windows, at) << WINDOW_BITS
    const firstChunk = elementAt(segment.pageChunks, firstPage)
    return {
      pages: [...impacts.pages.subarray(pageStarts[at], pageStarts[at + 1])].map((packed) => ({
        page: firstPage + placeOfPage(packed),
        value: pageValue(packed) * pageStep,
      })),
      chunks: [...impacts.chunks.subarray(chunkStarts[at], chunkStarts[at + 1])].map((packed) => ({
        chunk: firstChunk + Math.floor(packed / (2 * (MOST_CHUNK_VALUE + 1))),
        value: (packed & MOST_CHUNK_VALUE) * chunkStep,
      })),
    }
  }).reduce((all, { pages, chunks }) => ({ pages: [...all.pages, ...pages], chunks: [...all.chunks, ...chunks] }), {
    pages: [],
    chunks: [],
  })
}

/** Reference implementation: BM25 of passages and BM25+ of pages, posting by posting. */
function weighByFormula(segment: Segment, entry: DictionaryEntry) {
  const { chunk: forChunk, page: forPage } = WEIGHTS
  const { counters, pageCount, pageLengths, pageChunks, chunkLengths } = segment
  const lengthOf = (code: number | undefined) => elementAt(LENGTHS, code ?? 0)
  const chunks = new Map<number, number>()
  const found = new Map<number, number[]>()
  let page = 0
  let titles = 0
  visitPostings(segment, entry, {
    page: (number, fields) => {
      page = number
      titles = titleCount(fields)
      const parts = fields & PAGE_BITS.parts ? 1 : 0
      const anchors = elementAt(ANCHORS_LEVELS, (fields & PAGE_BITS.anchors) >> 4)
      found.set(page, [titles, headingsCount(fields), anchors, fields & PAGE_BITS.path ? 1 : 0, 0, parts])
    },
    chunk: (index, byte) => {
      const chunk = elementAt(pageChunks, page) + index
      const heading = headingLevel(byte) > 0 ? 1 : 0
      const frequency = bodyCount(byte) + codeCount(byte) + heading + forChunk.title * titles
      const average = counters.chunkWords / counters.chunks
      const norm = forChunk.k1 * (1 - forChunk.b + (forChunk.b * lengthOf(chunkLengths[chunk])) / Math.max(1, average))
      chunks.set(chunk, (RARITY.chunkIdf * (forChunk.k1 + 1) * frequency) / (frequency + norm))
      const counts = found.get(page) ?? []
      counts[4] = elementAt(counts, 4) + bodyCount(byte) + codeCount(byte)
      if (byte & CHUNK_BITS.parts) counts[5] = elementAt(counts, 5) + 1
    },
  })
  const names = ['title', 'headings', 'anchors', 'path', 'text', 'parts'] as const
  const pages = [...found].map(([number, counts]) => {
    const sum = counts.reduce((total, frequency, field) => {
      const name = names[field]
      if (name === undefined || frequency === 0) return total
      const b = name === 'parts' ? 0 : forPage.b[name]
      const average = Math.max(1, counters[name] / counters.pages)
      const norm = forPage.k1 * (1 - b + (b * lengthOf(pageLengths[field * pageCount + number])) / average)
      const gain = ((forPage.k1 + 1) * frequency) / (frequency + norm) + forPage.delta
      return total + elementAt(RARITY.fields, field) * gain
    }, 0)
    return [number, sum] as const
  })
  return { chunks: [...chunks], pages }
}

test('matches the formulas for every posting', () => {
  fc.assert(
    fc.property(somePages(150), (pages) => {
      const segment = segmentOf(pages)
      for (const entry of entriesOf(segment)) {
        const impacts = impactsOf(segment, entry)
        const expected = weighByFormula(segment, entry)
        const { chunks, pages: weighed } = unpack(segment, impacts)
        expect(chunks.map(({ chunk }) => chunk)).toEqual(expected.chunks.map(([chunk]) => chunk))
        expect(weighed.map(({ page }) => page)).toEqual(expected.pages.map(([page]) => page))
        // Chunk values are quantised to about a 16,000th of the maximum, and page values more finely.
        for (const [index, [, value]] of expected.chunks.entries()) expect(chunks[index]?.value).toBeCloseTo(value, 3)
        for (const [index, [, value]] of expected.pages.entries()) expect(weighed[index]?.value).toBeCloseTo(value, 4)
      }
    }),
    { numRuns: 15 },
  )
})

test('stores the bounds and maximum values of each window', () => {
  fc.assert(
    fc.property(somePages(200), (pages) => {
      const segment = segmentOf(pages)
      for (const entry of entriesOf(segment)) {
        const { windowCount, windows, pageStarts, chunkStarts, ...impacts } = impactsOf(segment, entry)
        expect([pageStarts[0], pageStarts[windowCount]]).toEqual([0, impacts.pages.length])
        expect([chunkStarts[0], chunkStarts[windowCount]]).toEqual([0, impacts.chunks.length])
        expect(windows.subarray(0, windowCount)).toEqual(windows.toSorted().subarray(-windowCount))
        for (let at = 0; at < windowCount; at++) {
          const pagesOfWindow = [...impacts.pages.subarray(pageStarts[at], pageStarts[at + 1])]
          const chunksOfWindow = [...impacts.chunks.subarray(chunkStarts[at], chunkStarts[at + 1])]
          expect(impacts.pageMost[at]).toBe(Math.max(...pagesOfWindow.map(pageValue)))
          expect(impacts.chunkMost[at]).toBe(Math.max(0, ...chunksOfWindow.map((packed) => packed & MOST_CHUNK_VALUE)))
        }
      }
    }),
    { numRuns: 15 },
  )
})

test('reads damaged postings to their end without exceeding their size', () => {
  fc.assert(
    fc.property(somePages(60), fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (pages, noise, place) => {
      const segment = segmentOf(pages)
      const start = place % segment.postings.length
      const postings = segment.postings.slice()
      postings.set(noise.subarray(0, postings.length - start), start)
      const { pages: found, chunks, windowCount } = impactsOf({ ...segment, postings }, { start, end: 2 ** 31 })
      expect(found.length).toBeLessThanOrEqual(segment.pageCount)
      expect(chunks.length).toBeLessThanOrEqual(segment.chunkCount)
      expect(windowCount).toBeLessThanOrEqual(postings.length)
    }),
  )
})
