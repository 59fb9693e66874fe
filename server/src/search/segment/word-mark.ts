import { hashText } from './simhash.ts'

/**
 * A one-byte hash of a term, used to store word order. One in 256 other terms has the same mark, so look it up only on
 * pages known to have the term.
 */
export function wordMark(term: string): number {
  return markOfHash(hashText(term, 0))
}

/** The mark of a term, from its first hash. */
export function markOfHash(hash: number): number {
  return hash >>> 24
}

/** Number of content words per page with an opening mark. */
export const OPENING_WORDS = 100

/** A two-byte hash of a word as written, in lower case. One in 65,536 other words has the same mark. */
export function openingMark(word: string): number {
  return hashText(word, 0) >>> 16
}
