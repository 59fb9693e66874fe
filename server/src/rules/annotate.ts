import { parseVersion } from '#lib/text/version.ts'
import type { Lexicon, Meaning } from './lexicon.ts'
import type { SourceNames } from './source-names.ts'
import type { Token } from './tokenise.ts'
import type { Tag } from './vocabulary/tags.ts'

/** A phrase of the sentence with what it can mean. `start` and `end` are offsets into the sentence. */
export type Item = {
  start: number
  end: number
  /** Folded. Paths keep their case. */
  key: string
  isQuoted: boolean
  meaning: Meaning
  /** Sources that the phrase names. Several if only the kind of source can decide. */
  sources: string[]
  glob: string | null
  /** A version as written. */
  version: string | null
  /** An address or host of no source. */
  unknown: boolean
}

/** A sentence of the text, as items. */
export type Sentence = Item[]

type Words = { lexicon: Lexicon; names: SourceNames }

const NO_MEANING: Meaning = { tags: [] }
const COMMA: Meaning = { tags: [] }
/** Names that look like hosts but are files. */
const FILE = /\.(?:md|mdx|html?|txt|rst|json|ya?ml|pdf|[jt]sx?|py|go|rs|java|rb|php|c|h|cpp|cs)$/
const HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}$/
const VERSION = /^v?\d[\w.*-]*$/
const LETTERS = /\p{L}/u

export function isComma(item: Item): boolean {
  return item.meaning === COMMA
}

export function has(item: Item | undefined, ...tags: readonly Tag[]): boolean {
  return item !== undefined && tags.some((tag) => item.meaning.tags.includes(tag))
}

/** Looks up the phrases of a text, the longest first, and splits it into sentences. */
export function annotate(tokens: readonly Token[], words: Words): Sentence[] {
  const sentences: Sentence[] = []
  let current: Sentence = []
  const parts = tokens.flatMap((token) => (token.kind === 'dense' ? splitDense(token, words.lexicon) : token))
  let at = 0
  while (at < parts.length) {
    const token = parts[at]
    if (token === undefined) break
    if (token.kind === 'stop') {
      if (current.length > 0) sentences.push(current)
      current = []
      at++
      continue
    }
    const { item, count } = itemAt(parts, at, words)
    current.push(item)
    at += count
  }
  if (current.length > 0) sentences.push(current)
  return sentences
}

type Found = { item: Item; count: number }

function itemAt(tokens: readonly Token[], at: number, words: Words): Found {
  const token = tokens[at]
  if (token === undefined) throw new RangeError('There is no token.')
  const { start, end, key, kind } = token
  const item: Item = {
    start,
    end,
    key,
    isQuoted: kind === 'quoted',
    meaning: NO_MEANING,
    sources: [],
    glob: null,
    version: null,
    unknown: false,
  }
  const one = (more: Partial<Item>): Found => ({ item: { ...item, ...more }, count: 1 })
  if (kind === 'comma') return one({ meaning: COMMA })
  if (kind === 'url') return one(addressed(words.names, key))
  if (kind === 'path') return one(pathed(words.names, key))
  if (kind === 'quoted') {
    const named = words.names.whole(key.split(' '))
    if (named !== null) return one({ sources: [named] })
    return one(key.includes('/') || key.includes('*') ? pathed(words.names, key) : {})
  }
  return wordAt(tokens, at, { item, words })
}

/** The longest phrase of words that begins here: a source's whole name, or a phrase of the lexicon. */
function wordAt(tokens: readonly Token[], at: number, { item, words }: { item: Item; words: Words }): Found {
  const { lexicon, names } = words
  const keys: string[] = []
  let best: Found = { item, count: 1 }
  for (let count = 1; count <= lexicon.mostWords; count++) {
    const token = tokens[at + count - 1]
    if (token === undefined || token.kind !== 'word') break
    keys.push(token.key)
    const source = names.whole(keys)
    const meaning = lexicon.find(keys.join(' '))
    // A kind such as `docs` stays a kind, even if an address ends with it.
    const isName = source !== null && (meaning?.kind === undefined || count > 1 || names.isLabel(keys))
    if (!isName && meaning === undefined) continue
    const next = { ...item, end: token.end, key: keys.join(' '), meaning: meaning ?? NO_MEANING }
    best = { item: isName ? { ...next, sources: [source] } : next, count }
  }
  if (best.item.meaning !== NO_MEANING || best.item.sources.length > 0) return best
  const { key } = item
  const code = lexicon.find(key.split('-', 1)[0] ?? '')?.code
  if (code !== undefined && key.includes('-')) return { item: { ...item, meaning: { tags: [], code } }, count: 1 }
  if (isVersion(key)) return { item: { ...item, version: key }, count: 1 }
  if (HOST.test(key) && !FILE.test(key)) return { item: { ...item, ...addressed(names, key) }, count: 1 }
  if (FILE.test(key)) return { item: { ...item, glob: `*/${key}` }, count: 1 }
  return { item: { ...item, sources: LETTERS.test(key) ? names.byWord(key) : [] }, count: 1 }
}

/** A version as written. A bare number is more often an amount. */
function isVersion(key: string): boolean {
  if (!VERSION.test(key) || /^\d+$/.test(key)) return false
  return parseVersion(key.replace(/\.?[x*]$/, '')) !== null
}

/** A source, or the pages below an address of one: a rule about a page must not apply to its whole source. */
function addressed(names: SourceNames, address: string): Partial<Item> {
  const source = names.byAddress(address)
  if (source === null) return { unknown: true }
  const path = names.pathWithin(address)
  return path === null ? { sources: [source] } : { glob: globOf(path) }
}

/** A path as a glob: `/blog` means all below it, and `vendor/` a folder anywhere. */
function pathed(names: SourceNames, path: string): Partial<Item> {
  if (names.byAddress(path) !== null) return addressed(names, path)
  if (path.includes('*')) return { glob: path.replaceAll(/\*{2,}/g, '*') }
  const whole = path.replace(/^\.\//, '/').replace(/(?<!\/)\/+$/, '')
  return { glob: globOf(whole.startsWith('/') ? whole : `*/${whole}`) }
}

const globOf = (path: string): string => (FILE.test(path) ? path : `${path}/*`)

/** Splits a run without spaces into known phrases, the longest first, and the text between them. */
function splitDense({ start, key }: Token, { dense, mostChars }: Lexicon): Token[] {
  const tokens: Token[] = []
  let unknown = -1
  const flush = (until: number) => {
    if (unknown >= 0)
      tokens.push({ start: start + unknown, end: start + until, kind: 'word', key: key.slice(unknown, until) })
    unknown = -1
  }
  for (let at = 0; at < key.length;) {
    let length = Math.min(mostChars, key.length - at)
    while (length > 0 && !dense.has(key.slice(at, at + length))) length--
    if (length === 0) {
      if (unknown < 0) unknown = at
      at++
      continue
    }
    flush(at)
    tokens.push({ start: start + at, end: start + at + length, kind: 'word', key: key.slice(at, at + length) })
    at += length
  }
  flush(key.length)
  return tokens
}

/** A number in digits or as a word. */
export function numberOf(item: Item | undefined): number | null {
  if (item === undefined) return null
  return /^\d{1,4}$/.test(item.key) ? Number(item.key) : (item.meaning.number ?? null)
}
