import type { Segment } from '#search/segment/open-segment.ts'
import { wordMark, openingMark } from '#search/segment/hashes.ts'
import type { QueryTerm } from './resolve-query.ts'

/** Maximum distance, in content words, between two adjacent question words in a passage. */
const REACH = 10
/** A position out of reach of any other. */
const NEVER = -1 - REACH
/** Number of question words tracked per page: the bits of `Accumulators.pageWords`. */
export const KNOWN_WORDS = 31

/** Plain words of a question, in order. */
export type WordOrder = {
  /** By mark: number of the question word, from 1, or 0 for other words. */
  byMark: Uint8Array
  /** Bit of each word in `Accumulators.pageWords`. */
  bits: number[]
  /** Working memory of `scoreWordOrder`, by word number, and by pair of adjacent words. */
  lastPlaces: Int32Array
  nearest: Float64Array
}

/** Prepares the word order of a question. Null for a single word. A compound name is represented by its words. */
export function makeWordOrder(queryTerms: readonly QueryTerm[]): WordOrder | null {
  const byMark = new Uint8Array(256)
  const bits: number[] = []
  for (let index = 0; index < Math.min(queryTerms.length, KNOWN_WORDS); index++) {
    const { terms, compound } = queryTerms[index]
    if (compound || terms.length === 0) continue
    bits.push(1 << index)
    const mark = wordMark(terms[0].term)
    if (byMark[mark] === 0) byMark[mark] = bits.length
  }
  if (bits.length < 2) return null
  // Sentinels at both ends, so that every word has two neighbours.
  const lastPlaces = new Int32Array(bits.length + 2).fill(NEVER)
  return { byMark, bits, lastPlaces, nearest: new Float64Array(bits.length - 1) }
}

/** Upper bound of `scoreWordOrder` on a page with only the `known` words. */
export function boundWordOrder({ bits, nearest }: WordOrder, known: number): number {
  let count = 0
  for (let pair = 0; pair < nearest.length; pair++)
    if ((known & bits[pair]) !== 0 && (known & bits[pair + 1]) !== 0) count++
  return count / nearest.length
}

/**
 * Proximity of adjacent question words in a passage, 0 to 1. Each pair counts its closest occurrence: 1 for adjacent
 * words, 1/n at a distance of n words, slightly less in reverse order. `known` are the question words on the page.
 */
export function scoreWordOrder(
  { byMark, bits, lastPlaces, nearest }: WordOrder,
  segment: Segment,
  chunk: number,
  known: number,
): number {
  const { marks, markOffsets } = segment
  const start = markOffsets[chunk]
  // Bounds the loop for damaged offsets.
  const end = Math.min(markOffsets[chunk + 1], marks.length)
  // A loop, because `fill` costs more for so few numbers.
  for (let pair = 0; pair < nearest.length; pair++) nearest[pair] = 0
  for (let word = 1; word <= bits.length; word++) lastPlaces[word] = NEVER
  for (let at = start; at < end; at++) {
    const word = byMark[marks[at]]
    if (word === 0 || (known & bits[word - 1]) === 0) continue
    const place = at - start
    const behind = place - lastPlaces[word - 1]
    if (behind <= REACH && 1 / behind > nearest[word - 2]) nearest[word - 2] = 1 / behind
    const before = place - lastPlaces[word + 1] + 0.5
    if (before <= REACH && 1 / before > nearest[word - 1]) nearest[word - 1] = 1 / before
    lastPlaces[word] = place
  }
  let sum = 0
  for (let pair = 0; pair < nearest.length; pair++) sum += nearest[pair]
  return sum / nearest.length
}

/** Question words looked up: as many as a byte can number. */
const MOST_OPENING_WORDS = 255

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
    const words = queryTerms.filter(({ weight }) => weight === 1).slice(0, MOST_OPENING_WORDS)
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
