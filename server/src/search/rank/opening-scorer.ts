import type { Segment } from '#search/segment/open-segment.ts'
import { openingMark } from '#search/segment/word-mark.ts'
import type { QueryTerm } from './resolve-query.ts'

/** Question words looked up: as many as a byte can number. */
const MAX_WORDS = 255

/**
 * Share of the words of a question that the beginning of a page has, as written. A page says first what it is about: a
 * manual page with all words of a question somewhere may be about anything. Holds working memory for one question at a
 * time.
 */
export class OpeningScorer {
  /** By mark: number of the question word, from 1, or 0 for other words. */
  readonly #wordOf = new Uint8Array(1 << 16)
  #marks: number[] = []
  #seen = new Uint8Array(0)

  /** Starts a question. */
  begin(queryTerms: readonly QueryTerm[]): this {
    for (const mark of this.#marks) this.#wordOf[mark] = 0
    // A part of a name has less weight. Only the name is in the text.
    const words = queryTerms.filter(({ weight }) => weight === 1).slice(0, MAX_WORDS)
    this.#marks = words.map(({ raw }) => openingMark(raw.toLowerCase()))
    for (const [index, mark] of this.#marks.entries()) this.#wordOf[mark] = index + 1
    this.#seen = new Uint8Array(words.length)
    return this
  }

  /** 0 to 1. */
  score({ openings, openingOffsets }: Segment, page: number): number {
    // Bounds the loop for damaged offsets.
    const end = Math.min(openingOffsets[page + 1], openings.length)
    this.#seen.fill(0)
    let count = 0
    for (let at = openingOffsets[page]; at < end; at++) {
      const word = this.#wordOf[openings[at]]
      if (word === 0 || this.#seen[word - 1] === 1) continue
      this.#seen[word - 1] = 1
      count++
    }
    return count / Math.max(1, this.#seen.length)
  }
}
