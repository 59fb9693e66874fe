import type { SourceType } from '@docent/contract/sources'
import type { Segment } from '#search/segment/open-segment.ts'
import { type Counters, COUNTERS } from '#search/segment/layout.ts'
import { windowBitsOf } from './packed-impacts.ts'

/** A segment with the source that it belongs to, and its id where it has one. */
export type SourceSegment = { segment: Segment; sourceId: string; type: SourceType; segmentId?: string }

/** A segment of a corpus; its pages and chunks are numbered on from those of the segments before it. */
export type CorpusPart = SourceSegment & {
  firstPage: number
  firstChunk: number
  /** Pages of the windows that it is searched in, as a power of two. */
  windowBits: number
}

/** All segments that a question is put to, as one collection. */
export type Corpus = { parts: CorpusPart[]; segments: Segment[]; counters: Counters }

export function joinCorpus(given: readonly SourceSegment[]): Corpus {
  const counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters
  const parts = given.map((part) => {
    const { pages: firstPage, chunks: firstChunk } = counters
    for (const name of COUNTERS) counters[name] += part.segment.counters[name]
    return { ...part, firstPage, firstChunk, windowBits: windowBitsOf(part.segment) }
  })
  return { parts, segments: parts.map(({ segment }) => segment), counters }
}

/** The part that a page of the corpus is in. */
export function partOfPage({ parts }: Corpus, page: number): CorpusPart {
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]
    if (part !== undefined && part.firstPage <= page) return part
  }
  throw new RangeError(`The corpus has no page ${page}.`)
}
