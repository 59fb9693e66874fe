import { isCompound, splitIdentifier } from './split-identifier.ts'
import { stemmerFor } from './stem.ts'

/** Index terms of a word. */
export type Word = {
  /**
   * The whole word in lower case, stemmed if it has only letters. Identifiers are stemmed too: a query for `mergetree`
   * means `MergeTree`, and cannot be distinguished from a plain word.
   */
  term: string
  /** Words of a dotted name (`path.join` → path, join), with full weight. */
  joined: string[]
  /** Parts of an identifier (`useRouter` → use, router), with less weight than words. */
  parts: string[]
}

/** The plain words within a word, as terms, for matching the word order of a text. */
export function wordOrder({ term, joined, parts }: Word): readonly string[] {
  if (joined.length > 0) return joined
  return parts.length > 1 ? parts : term === '' ? [] : [term]
}

export type WordAnalyser = (raw: string) => Word

/** Longer runs are hashes and encoded data. Nobody searches for them, and they would fill the dictionary. */
const MAX_LENGTH = 64
/** NFKC expands some letters to 18. A dictionary accepts keys of up to 1,024 bytes. */
const MAX_TERM = 2 * MAX_LENGTH
/** A large site has about 100,000 distinct words. An evicted word is only analysed again. */
const MEMO_SIZE = 50_000

const NOTHING: Word = { term: '', joined: [], parts: [] }
const ASCII_WORD = /^[a-z]+$/
const ACCENTS = /[\u0300-\u036f]/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Cache sizes of analysers in tool threads, for question words per language and for words of answer texts. An entry
 * takes about 200 bytes, or 1 kB for a long compound.
 */
export const QUESTION_WORDS = 5_000
export const ANSWER_WORDS = 20_000

/**
 * Creates an analyser for texts in a language. Words with an empty `term` are not indexed. `memoSize` is the number of
 * cached words.
 */
export function createWordAnalyser(language: string | null, memoSize: number = MEMO_SIZE): WordAnalyser {
  const stem = stemmerFor(language)
  const memo = new Map<string, Word>()

  const toTerm = (word: string): string => {
    const lower = word.toLowerCase()
    if (ASCII_WORD.test(lower)) return stem(lower)
    if (!NOT_ASCII.test(lower)) return lower
    return fold(stem(lower.normalize('NFKC')))
  }

  const analyse = (raw: string): Word => {
    if (raw.length > MAX_LENGTH) return NOTHING
    const name = trimMarks(raw)
    if (name === '') return NOTHING
    const pieces = name.includes('.') ? name.split('.').filter((piece) => /\p{L}/u.test(piece)) : []
    const joined = pieces.map(toTerm)
    const parts = (pieces.length > 0 ? pieces : [name])
      .filter(isCompound)
      .flatMap(splitIdentifier)
      .map(toTerm)
      .filter((part) => part.length > 1)
    const term = name.includes('.') ? fold(name.toLowerCase()) : toTerm(name)
    return [term, ...joined, ...parts].some((one) => one.length > MAX_TERM) ? NOTHING : { term, joined, parts }
  }

  return (raw) => {
    const known = memo.get(raw)
    if (known !== undefined) return known
    const word = analyse(raw)
    if (memo.size >= memoSize) memo.clear()
    memo.set(raw, word)
    return word
  }
}

/** Makes `__init__` and `$store` findable as `init` and `store`. */
function trimMarks(raw: string): string {
  return raw.replace(/^[_$.]+|(?<![_$.])[_$.]+$/g, '')
}

/** Removes accents, so that a query typed without them matches. */
function fold(word: string): string {
  return NOT_ASCII.test(word) ? word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC') : word
}
