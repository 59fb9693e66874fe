import { scanWords } from '#search/analyse/scan-words.ts'
import { isCompound } from '#search/analyse/split-identifier.ts'
import type { WordAnalyser } from '#search/analyse/word-analyser.ts'

/** Shorter names are found in every other text. */
const LEAST_LETTERS = 3

/**
 * The term by which other pages name a page: the only identifier in its title (`class: BrowserContext`), of a dotted one
 * the last part. Null where there is none or more than one; a plain word is said of many things.
 */
export function pageName(title: string, analyse: WordAnalyser): string | null {
  const words: string[] = []
  scanWords(title, 0, title.length, (start, end) => words.push(title.slice(start, end)))
  const names = words.filter((word) => word.includes('.') || isCompound(word))
  const [name] = names
  if (name === undefined || names.length > 1) return null
  const { term, joined } = analyse(name)
  const last = joined.at(-1) ?? term
  return last.length < LEAST_LETTERS ? null : last
}
