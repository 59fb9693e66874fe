import type { Segment } from '#search/segment/open-segment.ts'
import { wordMark } from '#search/segment/word-mark.ts'
import { idf } from './norms.ts'
import type { QuerySlot } from './resolve-query.ts'

/** Telling words between two that were asked for side by side, beyond which they have nothing to do with each other. */
const REACH = 10
/** A place from which no other is in reach. */
const NEVER = -1 - REACH
/** Words of a question whose places on a page are known: bits of `Accumulators.pageWords`. */
export const KNOWN_WORDS = 31

/** Plain words of a question in their order. */
export type WordOrder = {
  /** By mark: number of the word, counted from 1; 0 for other words. */
  byMark: Uint8Array
  /** Bit of each word in `Accumulators.pageWords`. */
  bits: number[]
  /** Of each word and the one behind it, how much of the question the pair is; all of them make 1. */
  pairs: number[]
  /** Working memory of `scoreWordOrder`, which runs some hundred times for a question; by number of word, and by pair. */
  lastPlaces: Int32Array
  nearest: Float64Array
}

/** Null for a question of a single word. Names that are made of several words stand for themselves by these. */
export function makeWordOrder(slots: readonly QuerySlot[], pages: number): WordOrder | null {
  const words = [...slots.entries()].flatMap(([index, { terms, compound }]) => {
    const [first] = terms
    if (first === undefined || compound || index >= KNOWN_WORDS) return []
    return [{ mark: wordMark(first.term), bit: 1 << index, rarity: idf(pages, first.stats.pages) }]
  })
  if (words.length < 2) return null
  const byMark = new Uint8Array(256)
  for (const [index, { mark }] of words.entries()) if (byMark[mark] === 0) byMark[mark] = index + 1
  const weights = words.slice(1).map(({ rarity }, index) => Math.sqrt(rarity * (words[index]?.rarity ?? 0)))
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return {
    byMark,
    bits: words.map(({ bit }) => bit),
    pairs: weights.map((weight) => weight / total),
    // The first and the last stand for words that never come, so that none lacks a neighbour.
    lastPlaces: new Int32Array(words.length + 2).fill(NEVER),
    nearest: new Float64Array(weights.length),
  }
}

/** What `scoreWordOrder` cannot exceed on a page that has only the `known` words. */
export function boundWordOrder({ bits, pairs }: WordOrder, known: number): number {
  let bound = 0
  for (let pair = 0; pair < pairs.length; pair++)
    if ((known & (bits[pair] ?? 0)) !== 0 && (known & (bits[pair + 1] ?? 0)) !== 0) bound += pairs[pair] ?? 0
  return bound
}

/**
 * How much a passage keeps words together that stand together in the question, 0 to 1: of each pair the nearest places,
 * counting 1 side by side and 1/n at n words' distance, a little less in the other order. `known` are the words that the
 * page is known to have.
 */
export function scoreWordOrder(
  { byMark, bits, pairs, lastPlaces, nearest }: WordOrder,
  segment: Segment,
  chunk: number,
  known: number,
): number {
  const { marks, markOffsets } = segment
  const start = markOffsets[chunk] ?? 0
  // Damaged offsets must not make a loop of billions.
  const end = Math.min(markOffsets[chunk + 1] ?? 0, marks.length)
  // Calls of `fill` cost more than these few numbers.
  for (let pair = 0; pair < pairs.length; pair++) nearest[pair] = 0
  for (let word = 1; word <= bits.length; word++) lastPlaces[word] = NEVER
  for (let at = start; at < end; at++) {
    const word = byMark[marks[at] ?? 0] ?? 0
    if (word === 0 || (known & (bits[word - 1] ?? 0)) === 0) continue
    const place = at - start
    const behind = place - (lastPlaces[word - 1] ?? 0)
    if (behind <= REACH && 1 / behind > (nearest[word - 2] ?? 0)) nearest[word - 2] = 1 / behind
    const before = place - (lastPlaces[word + 1] ?? 0) + 0.5
    if (before <= REACH && 1 / before > (nearest[word - 1] ?? 0)) nearest[word - 1] = 1 / before
    lastPlaces[word] = place
  }
  let sum = 0
  for (let pair = 0; pair < pairs.length; pair++) sum += (pairs[pair] ?? 0) * (nearest[pair] ?? 0)
  return sum
}
