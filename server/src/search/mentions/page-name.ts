import { scanWords } from '#search/analyse/scan-words.ts'
import { isCompound } from '#search/analyse/split-identifier.ts'
import type { WordAnalyser } from '#search/analyse/word-analyser.ts'

/** Minimum characters. Shorter names occur in almost every text. */
const LEAST_LETTERS = 3

/**
 * The term by which other pages mention a page: the only identifier in its title (`class: BrowserContext`), or the last
 * part of a dotted one. Null if the title has none or several. A plain word is ambiguous.
 */
export function pageName(title: string, analyse: WordAnalyser): string | null {
  const words: string[] = []
  scanWords(title, 0, title.length, (start, end) => words.push(title.slice(start, end)))
  const names = words.filter((word) => word.includes('.') || isCompound(word))
  const [name] = names
  if (name === undefined || names.length > 1) return null
  const last = name.split('.').findLast((part) => /\p{L}/u.test(part)) ?? name
  const { term } = analyse(last)
  return term.length < LEAST_LETTERS ? null : term
}
