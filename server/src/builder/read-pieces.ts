import type { Lexicon } from '#grammar/lexicon.ts'
import names from '#grammar/phrases/names.json' with { type: 'json' }
import { splitDense } from '#grammar/split-words.ts'
import { isDense, type Token, tokenise, wordsOf } from '#grammar/tokenise.ts'
import { requestLexicons } from './request-lexicons.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

export type Task = keyof typeof vocabulary.tasks
export type Thing = keyof typeof vocabulary.things
export type Part = keyof typeof vocabulary.parts
type Word = keyof typeof vocabulary.roles

/** Roles of a phrase. `one` and `many`: a thing in the singular and the plural. `language`: of code. */
export type Role =
  | Word
  | `task ${Task}`
  | `one ${Thing}`
  | `many ${Thing}`
  | `part ${Part}`
  | `language ${string}`
  | `number ${string}`

/** A phrase of a request. `start` and `end` are offsets into it. */
export type Piece = {
  start: number
  end: number
  /** Folded. */
  key: string
  /** Empty for a word that the vocabulary lacks. */
  roles: ReadonlySet<Role>
  kind: Token['kind']
}

type Table = {
  roles: ReadonlyMap<string, ReadonlySet<Role>>
  stems: ReadonlyMap<string, Role>
  /** English nouns, which sentences in other languages have too. */
  others: ReadonlyMap<string, ReadonlySet<Role>>
  mostWords: number
  /** As in the lexicon of the grammar. */
  dense: ReadonlySet<string>
  mostChars: number
  language: Language
}

const NONE: ReadonlySet<Role> = new Set()
type Language = Lexicon['language']

type Phrases = Readonly<Partial<Record<Language, string>>>

/** Builds the table of a language. A phrase that ends in `*` is the beginning of a word. */
function createTable(language: Language, others: Table['others']): Table {
  const roles = new Map<string, Set<Role>>()
  const stems = new Map<string, Role>()
  const add = (role: Role, phrases = '') => {
    for (const phrase of phrases.split('|').filter(Boolean)) {
      const key = wordsOf(phrase.replace(/\*$/, ''))
        .map((word) => word.key)
        .join(' ')
      if (phrase.endsWith('*')) stems.set(key, role)
      roles.set(key, (roles.get(key) ?? new Set()).add(role))
    }
  }
  const own = (phrases: Phrases) => phrases[language]
  for (const [name, phrases] of Object.entries(vocabulary.roles)) add(name as Word, own(phrases))
  for (const [name, phrases] of Object.entries(vocabulary.tasks)) add(`task ${name as Task}`, own(phrases))
  for (const [name, phrases] of Object.entries(vocabulary.parts)) add(`part ${name as Part}`, phrases)
  for (const [name, { one, many }] of Object.entries(vocabulary.things)) {
    add(`one ${name as Thing}`, one)
    add(`many ${name as Thing}`, many)
  }
  for (const [code, phrases] of Object.entries(names.codeLanguages)) add(`language ${code}`, phrases)
  for (const [number, phrases] of Object.entries(names.numbers)) if (number !== '1') add(`number ${number}`, phrases)
  const all = [...roles.keys()]
  const dense = new Set(all.filter((phrase) => isDense(phrase.charAt(0))))
  return {
    roles,
    stems,
    others,
    mostWords: Math.max(...all.map((phrase) => phrase.split(' ').length)),
    dense,
    mostChars: Math.max(...[...dense].map(({ length }) => length)),
    language,
  }
}

/** Creates a reader of requests, whose tables are built on first use. */
function createReader() {
  const tables = new Map<Language, Table>()
  const tableOf = (language: Language): Table => {
    const others = language === 'en' ? new Map<string, ReadonlySet<Role>>() : nounsOf(tableOf('en'))
    const table = tables.get(language) ?? createTable(language, others)
    tables.set(language, table)
    return table
  }
  return (text: string): Piece[][] => readPieces(text, tableOf(languageOf(text)))
}

function nounsOf({ roles }: Table): Map<string, ReadonlySet<Role>> {
  const isNoun = (role: Role) => /^(?:task|form|detail)\b/.test(role)
  return new Map([...roles].filter(([, own]) => [...own].some(isNoun)))
}

/** The words of the phrases of each language, built on first use. */
const wordsByLanguage = (() => {
  let made: Map<Language, Set<string>> | null = null
  const build = () => {
    const words = new Map<Language, Set<string>>()
    for (const phrases of [...Object.values(vocabulary.roles), ...Object.values(vocabulary.tasks)])
      for (const [language, listed] of Object.entries(phrases as Phrases) as [Language, string][])
        words.set(language, (words.get(language) ?? new Set()).union(new Set(listed.split(/[| ]/))))
    return words
  }
  return () => (made ??= build())
})()

/** The language with most of the words of a text, of those that the grammar's vocabularies also find likely. */
export function languageOf(text: string): Language {
  const words = wordsOf(text).map(({ key }) => key)
  const likely = requestLexicons().of(words, text).language
  if (likely === 'zh' || likely === 'ja') return likely
  const known = wordsByLanguage()
  const score = (language: Language) => words.filter((word) => known.get(language)?.has(word) === true).length
  return [...known.keys()].reduce((one, other) => (score(other) > score(one) ? other : one), likely)
}

/** Languages whose names are other words too, unless they have a capital inside of a sentence: Go, C. */
const codeNames = new Map(
  Object.entries(names.codeLanguagesWithNoun).map(([code, name]) => [
    name.charAt(0).toUpperCase() + name.slice(1),
    code,
  ]),
)

/** Reads the phrases of a request, the longest first. Returns its sentences. Linear in the length of the text. */
export const readSentences = createReader()

function readPieces(text: string, table: Table): Piece[][] {
  const tokens = tokenise(text).flatMap((token) => (token.kind === 'dense' ? splitDense(token, table) : token))
  const sentences: Piece[][] = [[]]
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'stop') sentences.push([])
    const { count, roles } = token.kind === 'word' ? longest(tokens, at, table) : { count: 1, roles: NONE }
    const last = tokens[at + count - 1] ?? token
    const key = tokens
      .slice(at, at + count)
      .map((each) => each.key)
      .join(' ')
    const language = codeNames.get(text.slice(token.start, last.end))
    const isFirst = sentences.at(-1)?.length === 0
    const own = language === undefined || isFirst ? roles : new Set<Role>([`language ${language}`])
    if (token.kind !== 'stop')
      sentences.at(-1)?.push({ start: token.start, end: last.end, key, roles: own, kind: token.kind })
    at += count
  }
  return sentences.filter(({ length }) => length > 0)
}

function longest(tokens: readonly Token[], at: number, { roles, stems, others, mostWords }: Table) {
  let found = { count: 1, roles: stemOf(tokens[at]?.key ?? '', stems) }
  if (found.roles.size === 0) found = { count: 1, roles: inflected(tokens[at]?.key ?? '', roles) }
  let key = ''
  for (let count = 1; count <= mostWords; count++) {
    const token = tokens[at + count - 1]
    if (token?.kind !== 'word') break
    key = count === 1 ? token.key : `${key} ${token.key}`
    const own = roles.get(key) ?? (found.roles.size === 0 ? others.get(key) : undefined)
    if (own !== undefined) found = { count, roles: own }
  }
  return found
}

const ENDING = /(?:es|en|em|er|[sne])$/
const LEAST_STEM = 5

/** The roles of a noun without its ending: `Befehls`, `Optionen`. */
function inflected(key: string, roles: Table['roles']): ReadonlySet<Role> {
  for (const ending of ENDING.exec(key)?.[0] === undefined ? [] : [ENDING.exec(key)?.[0] ?? '', key.slice(-1)]) {
    const own = key.length - ending.length >= LEAST_STEM ? roles.get(key.slice(0, -ending.length)) : undefined
    const nouns = [...(own ?? [])].filter((role) => /^(?:one|many|task) |^(?:something|detail|form)$/.test(role))
    if (nouns.length > 0) return new Set(nouns)
  }
  return NONE
}

/** Longest beginning of a word that is looked up. */
const MOST_STEM = 24

function stemOf(key: string, stems: ReadonlyMap<string, Role>): ReadonlySet<Role> {
  for (let length = Math.min(key.length, MOST_STEM); length > 3; length--) {
    const role = stems.get(key.slice(0, length))
    if (role !== undefined) return new Set([role])
  }
  return /^\d{1,3}$/.test(key) ? new Set([`number ${key}` as Role]) : NONE
}

/** Examples, reasons and readers: what a request is not itself about. They end with a comma that no list continues. */
export function withoutAsides(sentence: readonly Piece[]): Piece[] {
  let isAside = false
  return sentence.filter((piece, at) => {
    const next = sentence[at + 1]
    const isMark = has(piece, 'like', 'reason')
    const isListed =
      piece.kind === 'comma' && isAside && next !== undefined && next.roles.size === 0 && next.kind === 'word'
    if (isMark) isAside = true
    else if (piece.kind === 'comma' && !isListed) isAside = false
    return !isAside
  })
}

export function has(piece: Piece | undefined, ...roles: readonly Role[]): boolean {
  return piece !== undefined && roles.some((role) => piece.roles.has(role))
}

/** The thing that a piece names, or null. */
export function thingOf(piece: Piece | undefined, number: 'one' | 'many' | 'any' = 'any'): Thing | null {
  for (const role of piece?.roles ?? [])
    if ((number !== 'many' && role.startsWith('one ')) || (number !== 'one' && role.startsWith('many ')))
      return role.slice(role.indexOf(' ') + 1) as Thing
  return null
}

export function taskOf(piece: Piece | undefined): Task[] {
  return [...(piece?.roles ?? [])].flatMap((role) => (role.startsWith('task ') ? (role.slice(5) as Task) : []))
}

export function partOf(piece: Piece): Part[] {
  return [...piece.roles].flatMap((role) => (role.startsWith('part ') ? (role.slice(5) as Part) : []))
}

export function valueOf(piece: Piece | undefined, name: 'language' | 'number'): string | null {
  for (const role of piece?.roles ?? []) if (role.startsWith(`${name} `)) return role.slice(name.length + 1)
  return null
}
