import type { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'
import { MARK, type TermImpacts } from './term-impacts.ts'
import { KNOWN_WORDS } from './word-order.ts'

/** Position that is past every window. */
export const DONE = 0xffff_ffff

/** Goes through what one term of a question is worth in one segment, window by window. */
export class TermCursor {
  readonly #impacts: TermImpacts
  readonly #firstPage: number
  readonly #firstChunk: number
  /** Number of its word in the question, counted from 1. */
  readonly slot: number
  /** Weight of its word. */
  readonly weight: number
  #at = -1
  /** The present window, or `DONE`. */
  window = 0
  /** The most that the window adds to one chunk, and to one page. */
  chunkBound = 0
  pageBound = 0

  constructor({ firstPage, firstChunk }: CorpusPart, impacts: TermImpacts, slot: number, weight: number) {
    this.#impacts = impacts
    this.#firstPage = firstPage
    this.#firstChunk = firstChunk
    this.slot = slot
    this.weight = weight
    this.next()
  }

  next(): void {
    const { windows, windowCount, chunkMost, pageMost } = this.#impacts
    const at = ++this.#at
    if (at >= windowCount) {
      this.window = DONE
      return
    }
    this.window = windows[at] ?? DONE
    this.chunkBound = this.weight * (chunkMost[at] ?? 0)
    this.pageBound = this.weight * (pageMost[at] ?? 0)
  }

  /** Adds the present window to the accumulators. The loops run once for each occurrence of each word of every question. */
  score({ chunkScores, chunkHeadings, pageSums, pageCovers, pageSlots, pageWords, titleHits }: Accumulators): void {
    const { pageStarts, chunkStarts, pages, pageValues, chunks, chunkValues } = this.#impacts
    const { slot, weight } = this
    const at = this.#at
    const firstChunk = this.#firstChunk
    for (let index = chunkStarts[at] ?? 0, end = chunkStarts[at + 1] ?? 0; index < end; index++) {
      const chunk = chunks[index] ?? 0
      const to = firstChunk + (chunk & ~MARK)
      chunkScores[to] = (chunkScores[to] ?? 0) + weight * (chunkValues[index] ?? 0)
      if (chunk < 0) chunkHeadings[to] = (chunkHeadings[to] ?? 0) + 1
    }
    const firstPage = this.#firstPage
    const bit = slot <= KNOWN_WORDS ? 1 << (slot - 1) : 0
    for (let index = pageStarts[at] ?? 0, end = pageStarts[at + 1] ?? 0; index < end; index++) {
      const page = pages[index] ?? 0
      const to = firstPage + (page & ~MARK)
      pageSums[to] = (pageSums[to] ?? 0) + weight * (pageValues[index] ?? 0)
      if (page < 0) titleHits[to] = (titleHits[to] ?? 0) + 1
      if (pageSlots[to] === slot) continue
      pageSlots[to] = slot
      pageWords[to] = (pageWords[to] ?? 0) | bit
      pageCovers[to] = (pageCovers[to] ?? 0) + weight
    }
  }
}
