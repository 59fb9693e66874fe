import type { QuerySlot } from './resolve-query.ts'

/**
 * Words of a question that it is ranked by. What a word costs is how many pages have it, and those that many have tell
 * the fewest pages apart: with 48 a question takes twice as long on 100,000 passages, and nDCG@10 is the same.
 */
export const MOST_SLOTS = 24

/** The rarest slots, in the order of the question; those of words that no page has cost nothing and are the rarest. */
export function rarestSlots(slots: readonly QuerySlot[]): readonly QuerySlot[] {
  if (slots.length <= MOST_SLOTS) return slots
  const kept = new Set(slots.toSorted((a, b) => pagesOf(a) - pagesOf(b)).slice(0, MOST_SLOTS))
  return slots.filter((slot) => kept.has(slot))
}

function pagesOf({ terms }: QuerySlot): number {
  return Math.max(0, ...terms.map(({ stats }) => stats.pages))
}
