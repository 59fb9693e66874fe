import { expect, test } from 'vitest'
import {
  addChunks,
  addChunksBefore,
  addPages,
  addPagesOnce,
  isPageMarked,
  MOST_CHUNK_VALUE,
  MOST_PAGE_VALUE,
  packChunk,
  packPage,
  pageValue,
  placeOfPage,
  WINDOW_BITS,
  WINDOW_CHUNKS,
  windowBitsOf,
} from './packed-impacts.ts'

test.each([
  [0, false, 1],
  [5, true, 77],
  [2 ** WINDOW_BITS - 1, true, MOST_PAGE_VALUE],
])('packs and unpacks page %i, marked %s, with the value %i', (place, isMarked, value) => {
  const packed = packPage(place, isMarked, value)
  expect([placeOfPage(packed), isPageMarked(packed), pageValue(packed)]).toEqual([place, isMarked, value])
})

test.each([
  [0, false, 1],
  [5, true, 77],
  [WINDOW_CHUNKS - 1, true, MOST_CHUNK_VALUE],
])('packs and unpacks chunk %i, marked %s, with the value %i', (place, isMarked, value) => {
  const scores = { chunkScores: new Float32Array(WINDOW_CHUNKS), chunkHeadings: new Uint8Array(WINDOW_CHUNKS) }
  const run = { from: 0, end: 1, first: 0, scale: 1 }
  addChunksBefore(WINDOW_CHUNKS, Uint32Array.of(packChunk(place, isMarked, value)), run, scores)
  expect(scores.chunkScores.findIndex((score) => score > 0)).toBe(place)
  expect([scores.chunkScores[place], scores.chunkHeadings[place]]).toEqual([value, isMarked ? 1 : 0])
})

test('adds a run of impacts at the start of its window', () => {
  const chunkScores = new Float32Array(8).fill(1)
  const impacts = Uint32Array.of(packChunk(9, false, 9), packChunk(0, true, 2), packChunk(3, false, 4))
  addChunks(impacts, { from: 1, end: 3, first: 4, scale: 0.5 }, { chunkScores })
  expect([...chunkScores]).toEqual([1, 1, 1, 1, 2, 1, 1, 3])
})

test('adds the impacts of a run before a chunk, with their marks', () => {
  const accumulators = { chunkScores: new Float32Array(6), chunkHeadings: new Uint8Array(6) }
  const impacts = Uint32Array.of(
    packChunk(0, true, 2),
    packChunk(2, true, 3),
    packChunk(3, false, 4),
    packChunk(4, true, 5),
  )
  addChunksBefore(5, impacts, { from: 1, end: 4, first: 1, scale: 2 }, accumulators)
  expect([...accumulators.chunkScores]).toEqual([0, 0, 0, 6, 8, 0])
  expect([...accumulators.chunkHeadings]).toEqual([0, 0, 0, 1, 0, 0])
})

test('counts a word with several terms once per page', () => {
  const accumulators = {
    pageSums: new Float32Array(3),
    pageCovers: new Float32Array(3),
    pageTerms: new Uint8Array(3),
  }
  const impacts = Uint32Array.of(packPage(0, false, 1), packPage(2, true, 2))
  const run = { from: 0, end: 2, first: 0, scale: 10 }
  addPagesOnce(impacts, run, { queryTerm: 1, cover: 0.5 }, accumulators)
  addPagesOnce(impacts.subarray(1), { ...run, end: 1 }, { queryTerm: 1, cover: 0.5 }, accumulators)
  expect([...accumulators.pageSums]).toEqual([10, 0, 40])
  expect([...accumulators.pageCovers]).toEqual([0.5, 0, 0.5])
  addPages(impacts, run, 1, accumulators)
  expect([...accumulators.pageSums]).toEqual([20, 0, 60])
  expect([...accumulators.pageCovers]).toEqual([1.5, 0, 1.5])
})

test('reduces the pages of a window if they have too many chunks', () => {
  const pageCount = 100
  const pagesOf = (chunks: number) => ({
    pageCount,
    pageChunks: Uint32Array.from({ length: pageCount + 1 }, (_, page) => page * chunks),
  })
  expect(windowBitsOf(pagesOf(10))).toBe(WINDOW_BITS)
  expect(windowBitsOf(pagesOf(WINDOW_CHUNKS / 2 ** WINDOW_BITS))).toBe(WINDOW_BITS)
  expect(windowBitsOf(pagesOf(WINDOW_CHUNKS / 2 ** WINDOW_BITS + 1))).toBe(WINDOW_BITS - 1)
  expect(windowBitsOf(pagesOf(WINDOW_CHUNKS))).toBe(0)
  expect(windowBitsOf({ pageCount: 0, pageChunks: new Uint32Array(1) })).toBe(WINDOW_BITS)
})
