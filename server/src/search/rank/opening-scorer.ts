import type { Segment } from '#search/segment/open-segment.ts'
import { openingMark } from '#search/segment/word-mark.ts'
import { idf } from './norms.ts'
import { pagesWithWord, type QueryTerm } from './resolve-query.ts'

/** Number of content words after which a first occurrence counts 1/e. */
const REACH = 100
/** Question words looked up: as many as a byte can number. */
const MAX_WORDS = 255

/**
 * Scores how early on a page the words of a question first occur, as written. A page says first what it is about: a
 * manual page with all words of a question somewhere may be about anything. Holds working memory for one question at a
 * time.
 */
export class OpeningScorer {
  /** By mark: number of the question word, from 1, or 0 for other words. */
  readonly #wordOf = new Uint8Array(1 << 16)
  #marks: number[] = []
  /** Weight of each word. The weights sum to 1. */
  #shares: number[] = []
  #seen = new Uint8Array(0)

  /** Starts a question. `pages` is the number of searched pages. */
  begin(queryTerms: readonly QueryTerm[], pages: number): this {
    for (const mark of this.#marks) this.#wordOf[mark] = 0
    // A part of a name has less weight. Only the name is in the text.
    const words = queryTerms.filter(({ weight }) => weight === 1).slice(0, MAX_WORDS)
    this.#marks = words.map(({ raw }) => openingMark(raw.toLowerCase()))
    for (const [index, mark] of this.#marks.entries()) this.#wordOf[mark] = index + 1
    const rarities = words.map((queryTerm) => idf(pages, pagesWithWord(queryTerm)))
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1
    this.#shares = rarities.map((rarity) => rarity / total)
    this.#seen = new Uint8Array(words.length)
    return this
  }

  /** Sum over the words of the question, weighted by rarity, of how early the page has them. 0 to 1. */
  score({ openings, openingOffsets }: Segment, page: number): number {
    const start = openingOffsets[page]
    // Bounds the loop for damaged offsets.
    const end = Math.min(openingOffsets[page + 1], openings.length)
    this.#seen.fill(0)
    let sum = 0
    for (let at = start; at < end; at++) {
      const word = this.#wordOf[openings[at]]
      if (word === 0 || this.#seen[word - 1] === 1) continue
      this.#seen[word - 1] = 1
      sum += this.#shares[word - 1] * Math.exp((start - at) / REACH)
    }
    return sum
  }
}
