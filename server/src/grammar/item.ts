import type { Meaning, Tag } from './lexicon.ts'

/** A phrase of the sentence with what it can mean. `start` and `end` are offsets into the text. */
export type Item = {
  start: number
  end: number
  /** Folded. Paths keep their case. */
  key: string
  /** As written. */
  text: string
  /** Language of the sentence, by ISO 639-1 code. */
  language: string
  isQuoted: boolean
  isComma: boolean
  meaning: Meaning
  /** Sources that the phrase names. Several if only the kind of source can decide. */
  sources: string[]
  glob: string | null
  /** A version as written. */
  version: string | null
  /** An address or host of no source. */
  unknown: boolean
}

export const NO_MEANING: Meaning = { tags: [] }

export function has(item: Item | undefined, ...tags: readonly Tag[]): boolean {
  return item !== undefined && tags.some((tag) => item.meaning.tags.includes(tag))
}

/** True if the item names a source, a kind of source or pages. */
export function isName({ meaning, sources, glob }: Item): boolean {
  return sources.length > 0 || glob !== null || meaning.kind !== undefined || meaning.part !== undefined
}

/** True for a word that no vocabulary has. */
export function isUnread({ meaning, sources, glob, version, unknown, isQuoted, isComma, key }: Item): boolean {
  const isPlain = sources.length === 0 && glob === null && version === null && !unknown && !isQuoted && !isComma
  return isPlain && meaning === NO_MEANING && !/^\d+$/.test(key)
}

/** A number in digits or as a word. */
export function numberOf(item: Item | undefined): number | null {
  if (item === undefined) return null
  return /^\d{1,4}$/.test(item.key) ? Number(item.key) : (item.meaning.number ?? null)
}

/** The parts of a sentence between some items, such as commas. */
export function splitAt(sentence: readonly Item[], isBreak: (item: Item) => boolean): Item[][] {
  const parts: Item[][] = [[]]
  for (const item of sentence) {
    if (isBreak(item)) parts.push([])
    else parts.at(-1)?.push(item)
  }
  return parts.filter(({ length }) => length > 0)
}
