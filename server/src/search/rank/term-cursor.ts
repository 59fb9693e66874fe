import type { Accumulators } from './accumulators.ts'
import { firstFrom } from '#search/segment/postings-log.ts'
import type { CorpusPart } from './corpus.ts'
import {
  addChunks,
  addChunksBefore,
  addPages,
  addPagesOnce,
  isPageMarked,
  packChunk,
  packPage,
  pageValue,
  placeOfPage,
} from './packed-impacts.ts'
import type { TermImpacts } from './term-impacts.ts'
import { KNOWN_WORDS } from './word-order.ts'

/** Window number after the last window. */
export const DONE = 0xffff_ffff

/** The question word of a term. */
export type CursorWord = {
  /** Its number, from 1. */
  queryTerm: number
  /** Factor of its scores. */
  weight: number
  /** Share of the question that a page with the word covers. */
  cover: number
  /** True if the word has other terms too. */
  isShared: boolean
}

/** Iterates the impacts of one term in one segment, window by window. */
export class TermCursor {
  readonly #impacts: TermImpacts
  readonly #part: CorpusPart
  readonly #chunkScale: number
  readonly #pageScale: number
  readonly word: CursorWord
  #at = -1
  /** Current window, or `DONE`. */
  window = 0
  /** Upper bounds of the term's contribution in this window, to one chunk and to one page. */
  chunkBound = 0
  pageBound = 0

  constructor(part: CorpusPart, impacts: TermImpacts, word: CursorWord) {
    this.#impacts = impacts
    this.#part = part
    this.#chunkScale = word.weight * impacts.chunkStep
    this.#pageScale = word.weight * impacts.pageStep
    this.word = word
    this.next()
  }

  next(): void {
    this.#stand(this.#at + 1)
  }

  /** Moves to `window`, or to the next window with the term. */
  seek(window: number): void {
    const { windows, windowCount } = this.#impacts
    this.#stand(firstFrom(windows, window, 0, windowCount))
  }

  #stand(at: number): void {
    const { windows, windowCount, chunkMost, pageMost } = this.#impacts
    this.#at = at
    if (at >= windowCount) {
      this.window = DONE
      return
    }
    this.window = windows[at] ?? DONE
    this.chunkBound = this.#chunkScale * chunkMost[at]
    this.pageBound = this.#pageScale * pageMost[at]
  }

  /** Adds the current window to the chunk scores. */
  scoreChunks(accumulators: Accumulators): void {
    const { chunkStarts, chunks } = this.#impacts
    const from = chunkStarts[this.#at]
    const end = chunkStarts[this.#at + 1]
    addChunks(chunks, { from, end, first: this.#firstChunk, scale: this.#chunkScale }, accumulators)
  }

  /** Adds the current window to the sums and covers of pages. */
  scorePages(accumulators: Accumulators): void {
    const { pageStarts, pages } = this.#impacts
    const from = pageStarts[this.#at]
    const end = pageStarts[this.#at + 1]
    const run = { from, end, first: this.#firstPage, scale: this.#pageScale }
    if (this.word.isShared) addPagesOnce(pages, run, this.word, accumulators)
    else addPages(pages, run, this.word.cover, accumulators)
  }

  /** Adds the impacts on one page of the current window and on its chunks, all by their numbers in the corpus. */
  addPage(page: number, from: number, to: number, accumulators: Accumulators): void {
    const { pages, pageStarts, chunks, chunkStarts } = this.#impacts
    const place = page - this.#firstPage
    const endOfPages = pageStarts[this.#at + 1]
    const index = firstFrom(pages, packPage(place, false, 0), pageStarts[this.#at], endOfPages)
    if (index >= endOfPages) return
    const packed = pages[index]
    if (placeOfPage(packed) !== place) return
    const { pageSums, pageCovers, pageTerms, pageWords, titleHits } = accumulators
    const { queryTerm, cover } = this.word
    pageSums[page] += this.#pageScale * pageValue(packed)
    if (isPageMarked(packed)) titleHits[page] += 1
    if (pageTerms[page] !== queryTerm) {
      pageTerms[page] = queryTerm
      pageWords[page] |= queryTerm <= KNOWN_WORDS ? 1 << (queryTerm - 1) : 0
      pageCovers[page] += cover
    }
    if (from === to) return
    const first = this.#firstChunk
    const end = chunkStarts[this.#at + 1]
    const start = firstFrom(chunks, packChunk(from - first, false, 0), chunkStarts[this.#at], end)
    addChunksBefore(to, chunks, { from: start, end, first, scale: this.#chunkScale }, accumulators)
  }

  /** Corpus number of the first page in the current window. */
  get #firstPage(): number {
    return this.#part.firstPage + (this.window << this.#part.windowBits)
  }

  get #firstChunk(): number {
    return this.#part.firstChunk + this.#part.segment.pageChunks[this.window << this.#part.windowBits]
  }
}
