import { isCompound, splitIdentifier } from './split-identifier.ts'
import { stemmerFor } from './stem.ts'

/** What a word stands for in the index. */
export type Word = {
  /**
   * The whole word: in lower case, and stemmed unless it has other signs than letters. Identifiers are stemmed too: who
   * asks for `mergetree` means `MergeTree`, and the one is not to be told from a word.
   */
  term: string
  /** Words that a dotted name joins (`path.join` → path, join), terms in their own right. */
  joined: string[]
  /** Parts of an identifier (`useRouter` → use, router), which count for less than words. */
  parts: string[]
}

/** The plain words that a word is made of, as terms: those that stand beside others in a text. */
export function wordOrder({ term, joined, parts }: Word): readonly string[] {
  if (joined.length > 0) return joined
  return parts.length > 1 ? parts : term === '' ? [] : [term]
}

export type WordAnalyser = (raw: string) => Word

/** Longer runs are hashes and encoded data; nobody asks for them, and they would fill the dictionary. */
const MAX_LENGTH = 64
/** Normalisation makes 18 letters of some single ones. A dictionary takes keys of up to 1,024 bytes. */
const MAX_TERM = 2 * MAX_LENGTH
/** Distinct words that a large site has are some 100,000; what is forgotten is only analysed again. */
const MEMO_SIZE = 50_000

const NOTHING: Word = { term: '', joined: [], parts: [] }
const ASCII_WORD = /^[a-z]+$/
const ACCENTS = /[\u0300-\u036f]/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Words that analysers in tool threads remember, each of some 200 bytes, and 1 kB where it is long and compound: those of
 * questions, for each language, and those of the texts that answers are made of.
 */
export const QUESTION_WORDS = 5_000
export const ANSWER_WORDS = 20_000

/**
 * Analyses words as they stand in a text of the language. A word without a term (`term` empty) is not indexed.
 * `memoSize`: words remembered.
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

/** `__init__` and `$store` are asked for as `init` and `store` too. */
function trimMarks(raw: string): string {
  return raw.replace(/^[_$.]+|(?<![_$.])[_$.]+$/g, '')
}

/** Accents off, so that a question typed without them still meets its word. */
function fold(word: string): string {
  return NOT_ASCII.test(word) ? word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC') : word
}
