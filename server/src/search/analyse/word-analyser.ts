import { readFileSync } from 'node:fs'
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { dataAt } from '#lib/place.ts'
import { stem as english } from 'porter2'

/** Index terms of a word. */
export type Word = {
  /**
   * The whole word in lower case and without underscores, stemmed if it has only letters. So `findById`, `find_by_id`
   * and `findbyid` are the same. Identifiers are stemmed too: a query for `mergetree` means `MergeTree`, and cannot be
   * distinguished from a plain word.
   */
  term: string
  /** Names and words joined by dots or underscores: `loop.run_once` → loop, runonce, run, once. */
  joined: string[]
  /** The words among `joined`, in order. */
  words: string[]
  /** Parts in camel case (`useRouter` → use, router), with less weight than words. */
  parts: string[]
}

/** The plain words within a word, as terms, for matching the word order of a text. */
export function wordOrder({ term, words, parts }: Word): readonly string[] {
  if (words.length > 0) return words
  return parts.length > 1 ? parts : term === '' ? [] : [term]
}

export type WordAnalyser = (raw: string) => Word

/** Longer runs are hashes and encoded data. Nobody searches for them, and they would fill the dictionary. */
const MAX_LENGTH = 64
/** NFKC expands some letters to 18. A dictionary accepts keys of up to 1,024 bytes. */
const MAX_TERM = 2 * MAX_LENGTH
/** A large site has about 100,000 distinct words. An evicted word is only analysed again. */
const MEMO_SIZE = 50_000

const NOTHING: Word = { term: '', joined: [], words: [], parts: [] }
const ASCII_WORD = /^[a-z]+$/
const ACCENTS = /[\u0300-\u036f]/g
const LETTER = /\p{L}/u
const NOT_ASCII = /[^\0-\x7f]/

/** Words cached per language: of questions, and of answer texts. Each takes 200 bytes to 1 kB. */
export const QUESTION_WORDS = 5_000
export const ANSWER_WORDS = 20_000

/** Creates an analyser that caches `memoSize` words. Words with an empty `term` are not indexed. */
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
    const split = splitName(name)
    const words = split.map(toTerm)
    const names = name.includes('.') ? name.split('.').filter((piece) => LETTER.test(piece)) : []
    const joined = [...new Set([...names.map(withoutUnderscores), ...split])].map(toTerm)
    const parts = (split.length > 0 ? split : [name])
      .filter((word) => COMPOUND.test(word))
      .flatMap(splitIdentifier)
      .map(toTerm)
      .filter((part) => part.length > 1)
    const whole = withoutUnderscores(name)
    const term = whole.includes('.') ? fold(whole.toLowerCase()) : toTerm(whole)
    return [term, ...joined, ...parts].some((one) => one.length > MAX_TERM) ? NOTHING : { term, joined, words, parts }
  }

  return (raw) => {
    const known = memo.get(raw)
    if (known !== undefined) return known
    // V8's longer substrings keep the whole text in memory. This is one of a copy.
    const copy = ` ${raw}`.slice(1)
    const word = analyse(copy)
    if (memo.size >= memoSize) memo.clear()
    memo.set(copy, word)
    return word
  }
}

export type AnalyserOf = (language: string | null) => WordAnalyser

/** Analysers that remember their words, one for each language, with `memoSize` words each. */
export function createAnalysers(memoSize: number): AnalyserOf {
  const analysers = new Map<string | null, WordAnalyser>()
  return (language) => {
    const known = analysers.get(language) ?? createWordAnalyser(language, memoSize)
    analysers.set(language, known)
    return known
  }
}

/** Words of a name with dots or underscores. A number such as `1.20` has none. */
function splitName(name: string): string[] {
  if (!/[._]/.test(name) || !LETTER.test(name)) return []
  return name.split(/[._]+/).filter((piece) => piece.length > 1)
}

function withoutUnderscores(name: string): string {
  return name.replaceAll('_', '')
}

/** Makes `__init__` and `$store` findable as `init` and `store`. */
function trimMarks(raw: string): string {
  return raw.replace(/^[_$.]+|(?<![_$.])[_$.]+$/g, '')
}

/** Removes accents, so that a query typed without them matches. */
function fold(word: string): string {
  return NOT_ASCII.test(word) ? word.normalize('NFKD').replace(ACCENTS, '').normalize('NFC') : word
}

const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu
/** In an identifier of several words: a capital after a small letter or digit, characters joined by `_` or `$`, or `XMLParser`. */
const COMPOUND = /[\p{Ll}\p{N}]\p{Lu}|[^_$][_$]+[^_$]|\p{Lu}{2}\p{Ll}{2}/u

/** `useRouterContext` → use, Router, Context; `max_body_size` → max, body, size. Omits single characters. */
function splitIdentifier(word: string): string[] {
  return (word.match(PART) ?? []).filter((part) => part.length > 1)
}

type Stem = (word: string) => string

/** Snowball stemmers by ISO 639-1 code. Words of other languages stay unchanged. */
const stemmers = new Map<string, Stem>([
  ['ar', arabic],
  ['da', danish],
  ['nl', dutch],
  ['en', english],
  ['fi', finnish],
  ['fr', french],
  ['de', german],
  ['hu', hungarian],
  ['it', italian],
  ['no', norwegian],
  ['nb', norwegian],
  ['nn', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['es', spanish],
  ['sv', swedish],
  ['tr', turkish],
])

/** Most documentation without a declared language is in English. */
export const DEFAULT_LANGUAGE = 'en'

const keep: Stem = (word) => word

/** The stemmer of a language for lower-case words. Takes an ISO 639-1 code with or without a region. */
export function stemmerFor(language: string | null): Stem {
  const code = (language ?? DEFAULT_LANGUAGE).slice(0, 2).toLowerCase()
  return stemmers.get(code) ?? keep
}

const stem = stemmerFor('en')
const stems = new Set(
  readFileSync(dataAt('search/analyse/everyday-stems.txt'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' ')),
)

/** True if a word of a question is a common English one in any inflection, and therefore not misspelt. */
export function isEverydayWord(raw: string): boolean {
  return stems.has(stem(raw.toLowerCase()))
}

/** True if two words share an English stem: singular and plural, or a verb and its `-ing` and `-ed`. */
export function isFormOf(word: string, other: string): boolean {
  return stem(word.toLowerCase()) === stem(other.toLowerCase())
}
