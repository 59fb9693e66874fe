import type { Segment } from '#search/segment/open-segment.ts'
import { wordMark } from '#search/segment/word-mark.ts'
import { idf } from './norms.ts'
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
  /** Weight of each pair of adjacent words. The weights sum to 1. */
  pairs: number[]
  /**
   * Working memory of `scoreWordOrder`, which runs about a hundred times per question. Indexed by word number, and by
   * pair.
   */
  lastPlaces: Int32Array
  nearest: Float64Array
}

/** Prepares the word order of a question. Null for a single word. A compound name is represented by its words. */
export function makeWordOrder(queryTerms: readonly QueryTerm[], pages: number): WordOrder | null {
  const words = [...queryTerms.entries()].flatMap(([index, { terms, compound }]) => {
    const [first] = terms
    if (first === undefined || compound || index >= KNOWN_WORDS) return []
    return [{ mark: wordMark(first.term), bit: 1 << index, rarity: idf(pages, first.stats.pages) }]
  })
  if (words.length < 2) return null
  const byMark = new Uint8Array(256)
  for (const [index, { mark }] of words.entries()) if (byMark[mark] === 0) byMark[mark] = index + 1
  const weights = words.slice(1).map(({ rarity }, index) => Math.sqrt(rarity * words[index].rarity))
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return {
    byMark,
    bits: words.map(({ bit }) => bit),
    pairs: weights.map((weight) => weight / total),
    // Sentinels at both ends, so that every word has two neighbours.
    lastPlaces: new Int32Array(words.length + 2).fill(NEVER),
    nearest: new Float64Array(weights.length),
  }
}

/** Upper bound of `scoreWordOrder` on a page with only the `known` words. */
export function boundWordOrder({ bits, pairs }: WordOrder, known: number): number {
  let bound = 0
  for (let pair = 0; pair < pairs.length; pair++)
    if ((known & bits[pair]) !== 0 && (known & bits[pair + 1]) !== 0) bound += pairs[pair]
  return bound
}

/**
 * Proximity of adjacent question words in a passage, 0 to 1. Each pair counts its closest occurrence: 1 for adjacent
 * words, 1/n at a distance of n words, slightly less in reverse order. `known` are the question words on the page.
 */
export function scoreWordOrder(
  { byMark, bits, pairs, lastPlaces, nearest }: WordOrder,
  segment: Segment,
  chunk: number,
  known: number,
): number {
  const { marks, markOffsets } = segment
  const start = markOffsets[chunk]
  // Bounds the loop for damaged offsets.
  const end = Math.min(markOffsets[chunk + 1], marks.length)
  // A loop, because `fill` costs more for so few numbers.
  for (let pair = 0; pair < pairs.length; pair++) nearest[pair] = 0
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
  for (let pair = 0; pair < pairs.length; pair++) sum += pairs[pair] * nearest[pair]
  return sum
}
