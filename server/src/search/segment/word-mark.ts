import { hashText } from './simhash.ts'

/**
 * A byte that stands for a term where only the order of words is kept. Terms share it with one in 256 others, so it is
 * asked for only on pages that are known to have the term.
 */
export function wordMark(term: string): number {
  return markOfHash(hashText(term, 0))
}

/** The same of a term's first hash. */
export function markOfHash(hash: number): number {
  return hash >>> 24
}
