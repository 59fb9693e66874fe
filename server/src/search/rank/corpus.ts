import type { SourceType } from '@docent/contract/values/sources'
import type { Segment } from '#search/segment/open-segment.ts'
import { type Counters, COUNTERS } from '#search/segment/layout.ts'
import { windowBitsOf } from './packed-impacts.ts'

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

export function joinCorpus(given: readonly SourceSegment[]): Corpus {
  const counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters
  const parts = given.map((part) => {
    const { pages: firstPage, chunks: firstChunk } = counters
    for (const name of COUNTERS) counters[name] += part.segment.counters[name]
    return { ...part, firstPage, firstChunk, windowBits: windowBitsOf(part.segment) }
  })
  const segments = parts.map(({ segment }) => segment)
  const long = segments.reduce((sum, segment) => sum + countLongPages(segment), 0)
  return { parts, segments, counters, longPages: long / Math.max(1, counters.pages) }
}

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
