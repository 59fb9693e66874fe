import type { Item } from './annotate.ts'

/** A number in digits or as a word. */
export function numberOf(item: Item | undefined): number | null {
  if (item === undefined) return null
  return /^\d{1,4}$/.test(item.key) ? Number(item.key) : (item.meaning.number ?? null)
}
