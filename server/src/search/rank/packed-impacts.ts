import type { Segment } from '#search/segment/open-segment.ts'

/** Pages of one window at most, as a power of two. Scores of so many and of their chunks stay in the processor's cache. */
export const WINDOW_BITS = 6

/**
 * A page's impact in 32 bits: its place in the window, whether the term is in its title, and the value. Lists of impacts
 * are what a question reads most of, so that the time it takes goes with their size.
 */
const PAGE_VALUE_BITS = 32 - WINDOW_BITS - 1
export const MOST_PAGE_VALUE = 2 ** PAGE_VALUE_BITS - 1

/** A chunk's impact: its place among the window's chunks, whether the term is in its own heading, and the value. */
const CHUNK_VALUE_BITS = 14
export const MOST_CHUNK_VALUE = 2 ** CHUNK_VALUE_BITS - 1
/** Chunks of one window at most. */
export const WINDOW_CHUNKS = 2 ** (32 - CHUNK_VALUE_BITS - 1)

/**
 * Pages of one window of a segment, as a power of two: fewer than usual where so many have too many chunks. A single
 * page never has.
 */
export function windowBitsOf(segment: Pick<Segment, 'pageChunks' | 'pageCount'>): number {
  let bits = WINDOW_BITS
  while (bits > 0 && mostChunks(segment, bits) > WINDOW_CHUNKS) bits--
  return bits
}

function mostChunks({ pageChunks, pageCount }: Pick<Segment, 'pageChunks' | 'pageCount'>, bits: number): number {
  let most = 0
  for (let first = 0; first < pageCount; first += 1 << bits) {
    const last = Math.min(pageCount, first + (1 << bits))
    most = Math.max(most, (pageChunks[last] ?? 0) - (pageChunks[first] ?? 0))
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

export function placeOfChunk(packed: number): number {
  return packed >>> (CHUNK_VALUE_BITS + 1)
}

export function isPageMarked(packed: number): boolean {
  return (packed & (1 << PAGE_VALUE_BITS)) !== 0
}

export function isChunkMarked(packed: number): boolean {
  return (packed & (1 << CHUNK_VALUE_BITS)) !== 0
}

export function pageValue(packed: number): number {
  return packed & MOST_PAGE_VALUE
}

export function chunkValue(packed: number): number {
  return packed & MOST_CHUNK_VALUE
}

// The loops below run once for each occurrence of each word of most questions. They stand beside the constants that they
// use, and write the unpacking out: values from other modules, which the compiler does not know, take twice the time in
// them, and calls of the functions above a quarter more.

/** Adds impacts `from` to `end` to the scores of chunks. `first` is where the window's chunks begin. */
export function addChunks(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { chunkScores }: { chunkScores: Float32Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index] ?? 0
    const to = first + (packed >>> (CHUNK_VALUE_BITS + 1))
    chunkScores[to] = (chunkScores[to] ?? 0) + scale * (packed & MOST_CHUNK_VALUE)
  }
}

/** The same as far as chunk `before`, marks included. */
export function addChunksBefore(
  before: number,
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { chunkScores, chunkHeadings }: { chunkScores: Float32Array; chunkHeadings: Uint8Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index] ?? 0
    const to = first + (packed >>> (CHUNK_VALUE_BITS + 1))
    if (to >= before) return
    chunkScores[to] = (chunkScores[to] ?? 0) + scale * (packed & MOST_CHUNK_VALUE)
    if ((packed & (1 << CHUNK_VALUE_BITS)) !== 0) chunkHeadings[to] = (chunkHeadings[to] ?? 0) + 1
  }
}

/** Impacts of one window, where its first page or chunk stands, and what a value of 1 counts. */
export type Run = { from: number; end: number; first: number; scale: number }

type PageTarget = { pageSums: Float32Array; pageCovers: Float32Array }

/** Adds impacts `from` to `end` to the sums of pages, and `weight` to what their words weigh. */
export function addPages(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  weight: number,
  { pageSums, pageCovers }: PageTarget,
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index] ?? 0
    const to = first + (packed >>> (PAGE_VALUE_BITS + 1))
    pageSums[to] = (pageSums[to] ?? 0) + scale * (packed & MOST_PAGE_VALUE)
    pageCovers[to] = (pageCovers[to] ?? 0) + weight
  }
}

/** The same for a word that several terms stand for, which counts once on a page that has more of them. */
export function addPagesOnce(
  impacts: Uint32Array,
  { from, end, first, scale }: Run,
  { slot, weight }: { slot: number; weight: number },
  { pageSums, pageCovers, pageSlots }: PageTarget & { pageSlots: Uint8Array },
): void {
  for (let index = from; index < end; index++) {
    const packed = impacts[index] ?? 0
    const to = first + (packed >>> (PAGE_VALUE_BITS + 1))
    pageSums[to] = (pageSums[to] ?? 0) + scale * (packed & MOST_PAGE_VALUE)
    if (pageSlots[to] === slot) continue
    pageSlots[to] = slot
    pageCovers[to] = (pageCovers[to] ?? 0) + weight
  }
}
