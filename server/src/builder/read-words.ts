import { phrasesOf } from '#grammar/annotate.ts'
import { has, type Item, numberOf } from '#grammar/item.ts'
import {
  createLexicon,
  createRequestLexicon,
  type Lexicon,
  type Lexicons,
  type Part,
  type Task,
  type Thing,
} from '#grammar/lexicon.ts'
import { sourceNames } from '#grammar/source-names.ts'
import { isDense, wordsOf } from '#grammar/tokenise.ts'

/** The vocabularies of requests, built on first use. */
const lexicons = (() => {
  let made: Lexicons | null = null
  return (): Lexicons => (made ??= createRequestLexicon())
})()

/** The vocabularies of rules, which also read the sources and pages that a request names. */
export const ruleLexicons = (() => {
  let made: Lexicons | null = null
  return (): Lexicons => (made ??= createLexicon())
})()

/** A part of a text, as offsets. */
export type Span = { start: number; end: number }

const NO_NAMES = sourceNames([])

/** The language with most of the words of a request. */
export function lexiconOf(text: string): Lexicon {
  return lexicons().of(
    wordsOf(text).map(({ key }) => key),
    text,
  )
}

/** Reads the phrases of a request, the longest first. Returns its sentences. */
export function readSentences(text: string): Item[][] {
  const lexicon = lexiconOf(text)
  const find = (phrase: string) => lexicon.find(phrase) ?? inflected(phrase, lexicon)
  const own = { ...lexicon, find }
  return phrasesOf(text, { lexicon: { of: () => own }, names: NO_NAMES }).map(({ items }) => items)
}

const NOUN = /^(?:one|many|task) |^(?:something|detail|form)$/
const ENDING = /(?:es|en|em|er|[sne])$/
const LEAST_STEM = 5

/** The meaning of a noun without its ending: `Befehls`, `Optionen`. */
function inflected(key: string, { find }: Lexicon): Item['meaning'] | undefined {
  const ending = ENDING.exec(key)?.[0] ?? ''
  for (const cut of ending === '' ? [] : [ending.length, 1]) {
    const tags = key.length - cut >= LEAST_STEM ? find(key.slice(0, -cut))?.tags.filter((tag) => NOUN.test(tag)) : []
    if (tags && tags.length > 0) return { tags }
  }
  return undefined
}

/** Examples, reasons and readers: what a request is not itself about. They end with a comma that no list continues. */
export function withoutAsides(sentence: readonly Item[]): Item[] {
  let isAside = false
  const comma = sentence.findLastIndex(({ isComma }) => isComma)
  const last = sentence.slice(comma + 1)
  const isForm =
    last.length <= 3 && last.some(({ key }) => ONLY.test(key)) && last.some((item) => thingOf(item) !== null)
  // `How do I do it, commands only`
  if (comma > 0 && isForm && !last.some((item) => codeOf(item))) return withoutAsides(sentence.slice(0, comma))
  return sentence.filter((item, at) => {
    const isListed = item.isComma && isAside && isPlain(sentence[at + 1])
    // `as a checklist`
    if (has(item, 'reason') || (has(item, 'like') && taskOf(sentence[at + 1]).length === 0)) isAside = true
    else if (item.isComma && !isListed) isAside = false
    return !isAside
  })
}

const ONLY = /^(?:only|just|nur|seulement|uniquement|solo|so|apenas|soltanto)$/

/** True for a word that the vocabulary of requests lacks. */
export function isPlain(item: Item | undefined): boolean {
  if (item === undefined || item.isComma || item.isQuoted || /[/*]/.test(item.text)) return false
  return item.meaning.tags.length === 0 && codeOf(item) === undefined && numberOf(item) === null
}

/** True for a word that can be of the content: also the name of an action. */
export const isContent = (item: Item): boolean => isPlain(item) || has(item, 'elsewhere', 'action', 'make')

/** True for the name of a thing outside of documentation, where it is what the content is about: `restore a file`. */
export const isNamedContent = (item: Item, before: Item | undefined): boolean =>
  has(item, 'elsewhere') && !has(item, 'filler', 'form') && (has(before, 'a') || isPlain(before))

export const isColon = (prompt: string, { isComma, start }: Item): boolean =>
  isComma && /[:：]/.test(prompt.charAt(start))

/** True for a word of a script that has no plural. */
export const isDenseWord = ({ key }: Item): boolean => isDense(key.charAt(0))

/** The thing that an item names, or null. */
export function thingOf(item: Item | undefined, number: 'one' | 'many' | 'any' = 'any'): Thing | null {
  for (const tag of item?.meaning.tags ?? [])
    if ((number !== 'many' && tag.startsWith('one ')) || (number !== 'one' && tag.startsWith('many ')))
      return tag.slice(tag.indexOf(' ') + 1) as Thing
  return null
}

const valuesOf = (name: string, item: Item | undefined): string[] =>
  (item?.meaning.tags ?? []).flatMap((tag) => (tag.startsWith(name) ? tag.slice(name.length + 1) : []))

export const taskOf = (item: Item | undefined) => valuesOf('task', item) as Task[]
export const partOf = (item: Item | undefined) => valuesOf('part', item) as Part[]

/** The language of code that an item names. Those that are other words too have a capital: Go, C. */
export function codeOf({ text, meaning, start }: Item): string | undefined {
  return meaning.code ?? (/^\p{Lu}/u.test(text) && start > 0 ? meaning.codeWithNoun : undefined)
}
