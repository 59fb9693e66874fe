import { hash } from 'node:crypto'
import type { SourceType } from '@docent/contract/values/sources'
import { memoizeByObject } from '#lib/objects.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { type Counters, COUNTERS, PAGE_FIELDS } from '#search/segment/layout.ts'
import { windowBitsOf } from './packed-impacts.ts'
import { BODY_LEVELS, CODE_LEVELS, headingLevel, LENGTHS } from '#search/segment/field-codes.ts'
import type { Weights } from '#search/weights.ts'

/** A segment with its source, and its id if it has one. */
export type SourceSegment = { segment: Segment; sourceId: string; type: SourceType; segmentId?: string }

/** A segment of a corpus. Its pages and chunks are numbered after those of the preceding segments. */
export type CorpusPart = SourceSegment & {
  firstPage: number
  firstChunk: number
  /** Pages per search window, as a power of two. */
  windowBits: number
}

/** All segments searched for a question, as one collection. */
export type Corpus = {
  parts: CorpusPart[]
  segments: Segment[]
  counters: Counters
  /** Share of pages with at least `LONG_PAGE` passages. */
  longPages: number
}

/** Minimum passages of a long page. */
const LONG_PAGE = 4

function countLongPages({ pageCount, pageChunks }: Segment): number {
  let count = 0
  for (let page = 0; page < pageCount; page++) if (pageChunks[page + 1] - pageChunks[page] >= LONG_PAGE) count++
  return count
}

/** The part of the corpus with this page. */
export function partOfPage({ parts }: Corpus, page: number): CorpusPart {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]
    if (part !== undefined && part.firstPage <= page) return part
  }
  throw new RangeError(`The corpus has no page ${page}.`)
}

/** Length norms of a corpus, by length code: for chunks, and for page fields in their order. */
export type Norms = {
  chunk: Float64Array
  /** Score of a term that occurs once in the body and nowhere else, the most common case, by length code. */
  plain: Float64Array
  page: readonly Float64Array[]
}

export function makeNorms(counters: Counters, { chunk, page }: Weights): Norms {
  const average = (sum: number) => Math.max(1, sum / Math.max(1, counters.pages))
  const { k1, b } = page
  const ofChunk = lengthNorm(chunk.k1, chunk.b, Math.max(1, counters.chunkWords / Math.max(1, counters.chunks)))
  return {
    chunk: ofChunk,
    plain: ofChunk.map((norm) => 1 / (1 + norm)),
    page: PAGE_FIELDS.map((field) => lengthNorm(k1, field === 'parts' ? 0 : b[field], average(counters[field]))),
  }
}

/** Denominator term of BM25, `k1 (1 - b + b length / average)`, by length code. */
function lengthNorm(k1: number, b: number, average: number): Float64Array {
  const norms = new Float64Array(LENGTHS.length)
  for (let code = 0; code < norms.length; code++) norms[code] = k1 * (1 - b) + (k1 * b * LENGTHS[code]) / average
  return norms
}

/** Term frequencies, by a chunk's postings byte. */
export type Frequencies = {
  /** Occurrences in body and code, and one for the headings. */
  chunk: Float64Array
  /** Occurrences in body and code, for the text field of the page. */
  text: Float64Array
}

export function makeFrequencies(): Frequencies {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const text = Float64Array.from(bytes, (byte) => BODY_LEVELS[byte & 7] + CODE_LEVELS[(byte >> 3) & 3])
  return { text, chunk: text.map((frequency, byte) => frequency + (headingLevel(byte) > 0 ? 1 : 0)) }
}

/** Inverse document frequency as in BM25, never negative. */
export function idf(total: number, having: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5))
}

export type KnownCorpus = {
  /** Unique per set of segments. The same in every thread if the segments have ids. */
  id: string
  corpus: Corpus
  norms: Norms
}

/** Cached norms of corpora with the same first segment: a whole server, and subsets restricted by source. */
const MOST_OF_ONE = 4
/** 96 bits: enough to exclude collisions within one service. */
const NAME_LENGTH = 16

/** Joins segments into a corpus. The cache has no reference between segments, which would keep replaced ones. */
export function createKnownCorpora(weights: Weights): (given: readonly SourceSegment[]) => KnownCorpus {
  let count = 0
  const shapeOf = memoizeByObject((segment: Segment) => ({
    windowBits: windowBitsOf(segment),
    longPages: countLongPages(segment),
    // In place of an id.
    number: ++count,
  }))
  const noSegment = {}
  const knownBy = memoizeByObject((_first: object) => new Map<string, Pick<KnownCorpus, 'id' | 'norms'>>())

  return (given) => {
    const corpus = joinCorpus(given, shapeOf)
    const known = knownBy(corpus.segments[0] ?? noSegment)
    const key = given.map(({ segment, segmentId }) => segmentId ?? shapeOf(segment).number).join('\n')
    let scoring = known.get(key)
    if (scoring === undefined) {
      const id = hash('sha256', key, 'base64url').slice(0, NAME_LENGTH)
      scoring = { id, norms: makeNorms(corpus.counters, weights) }
      known.set(key, scoring)
      for (const oldest of known.keys()) if (known.size > MOST_OF_ONE) known.delete(oldest)
    }
    return { corpus, ...scoring }
  }
}

function joinCorpus(
  given: readonly SourceSegment[],
  shapeOf: (segment: Segment) => { windowBits: number; longPages: number },
): Corpus {
  const counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters
  let long = 0
  const parts = given.map((source): CorpusPart => {
    const { pages: firstPage, chunks: firstChunk } = counters
    for (const name of COUNTERS) counters[name] += source.segment.counters[name]
    const { windowBits, longPages } = shapeOf(source.segment)
    long += longPages
    return { ...source, firstPage, firstChunk, windowBits }
  })
  const segments = parts.map(({ segment }) => segment)
  return { parts, segments, counters, longPages: long / Math.max(1, counters.pages) }
}
