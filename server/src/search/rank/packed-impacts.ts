import type { Segment } from '#search/segment/open-segment.ts'

/** Maximum pages per window, as a power of two. Their scores fit into the processor's cache. */
export const WINDOW_BITS = 6

/** A page's impact in 32 bits: its position in the window, a flag for a term in the title, and the value. */
const PAGE_VALUE_BITS = 32 - WINDOW_BITS - 1
export const MOST_PAGE_VALUE = 2 ** PAGE_VALUE_BITS - 1

/** A chunk's impact: its position among the window's chunks, a flag for a term in its own heading, and the value. */
const CHUNK_VALUE_BITS = 14
export const MOST_CHUNK_VALUE = 2 ** CHUNK_VALUE_BITS - 1
/** Maximum chunks per window. */
export const WINDOW_CHUNKS = 2 ** (32 - CHUNK_VALUE_BITS - 1)

/** Pages per window of a segment, as a power of two: so few that no window has too many chunks. */
export function windowBitsOf(segment: Pick<Segment, 'pageChunks' | 'pageCount'>): number {
  let bits = WINDOW_BITS
  while (bits > 0 && mostChunks(segment, bits) > WINDOW_CHUNKS) bits--
  return bits
}

function mostChunks({ pageChunks, pageCount }: Pick<Segment, 'pageChunks' | 'pageCount'>, bits: number): number {
  let most = 0
  for (let first = 0; first < pageCount; first += 1 << bits) {
    const last = Math.min(pageCount, first + (1 << bits))
    most = Math.max(most, pageChunks[last] - pageChunks[first])
  }
  return most
}

export function packPage(place: number, isMarked: boolean, value: number): number {
  return ((place << (PAGE_VALUE_BITS + 1)) | (isMarked ? 1 << PAGE_VALUE_BITS : 0) | value) >>> 0
}

export function packChunk(place: number, isMarked: boolean, value: number): number {
  return ((place << (CHUNK_VALUE_BITS + 1)) | (isMarked ? 1 << CHUNK_VALUE_BITS : 0) | value) >>> 0
}

export function placeOfPage(packed: number): number {
  return packed >>> (PAGE_VALUE_BITS + 1)
}

export function isPageMarked(packed: number): boolean {
  return (packed & (1 << PAGE_VALUE_BITS)) !== 0
}

export function pageValue(packed: number): number {
  return packed & MOST_PAGE_VALUE
}

// The loops below run once per occurrence of each word of most questions. They are in the module of their constants and
// unpack inline: constants from other modules are unknown to the compiler and double the time, and calls of the
// functions above add a quarter.

/** Adds the impacts `from` to `end` to chunk scores. `first` is the first chunk of the window. */
export function addChunks(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { chunkScores }: { chunkScores: Float32Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index]
    const to = first + (packed >>> (CHUNK_VALUE_BITS + 1))
    chunkScores[to] += scale * (packed & MOST_CHUNK_VALUE)
  }
}

/** Like `addChunks`, but stops at chunk `before` and also counts marks. */
export function addChunksBefore(
  before: number,
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { chunkScores, chunkHeadings }: { chunkScores: Float32Array; chunkHeadings: Uint8Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index]
    const to = first + (packed >>> (CHUNK_VALUE_BITS + 1))
    if (to >= before) return
    chunkScores[to] += scale * (packed & MOST_CHUNK_VALUE)
    if ((packed & (1 << CHUNK_VALUE_BITS)) !== 0) chunkHeadings[to] += 1
  }
}

/** A range of impacts in one window, the number of its first page or chunk, and the score of a value of 1. */
export type Run = { from: number; end: number; first: number; scale: number }

type PageTarget = { pageSums: Float32Array; pageCovers: Float32Array }

/** Adds the impacts `from` to `end` to page sums, and `cover` to the page covers. */
export function addPages(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  cover: number,
  { pageSums, pageCovers }: PageTarget,
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index]
    const to = first + (packed >>> (PAGE_VALUE_BITS + 1))
    pageSums[to] += scale * (packed & MOST_PAGE_VALUE)
    pageCovers[to] += cover
  }
}

/** Like `addPages`, for a word with several terms. Counts the cover once per page. */
export function addPagesOnce(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { queryTerm, cover }: { queryTerm: number; cover: number },
  { pageSums, pageCovers, pageTerms }: PageTarget & { pageTerms: Uint8Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index]
    const to = first + (packed >>> (PAGE_VALUE_BITS + 1))
    pageSums[to] += scale * (packed & MOST_PAGE_VALUE)
    if (pageTerms[to] === queryTerm) continue
    pageTerms[to] = queryTerm
    pageCovers[to] += cover
  }
}
