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
