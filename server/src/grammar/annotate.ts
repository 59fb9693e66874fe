import { parseVersion } from '#lib/text/version.ts'
import type { Lexicon, Meaning, Tag } from './lexicon.ts'
import type { SourceNames } from './source-names.ts'
import { type Token, tokenise } from './tokenise.ts'

/** A phrase of the sentence with what it can mean. `start` and `end` are offsets into the text. */
export type Item = {
  start: number
  end: number
  /** Folded. Paths keep their case. */
  key: string
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

type Words = { lexicon: Lexicon; names: SourceNames }

const NO_MEANING: Meaning = { tags: [] }
/** Names that look like hosts but are files. */
const FILE = /\.(?:md|mdx|html?|txt|rst|json|ya?ml|pdf|[jt]sx?|py|go|rs|java|rb|php|c|h|cpp|cs)$/
const HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}$/
const VERSION = /^v?\d[\w.*-]*$/
const LETTERS = /\p{L}/u

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

/** Looks up the phrases of a text, the longest first. Returns its sentences as items. */
export function annotate(text: string, words: Words): Item[][] {
  const sentences: Item[][] = []
  let current: Item[] = []
  const tokens = tokenise(text).flatMap((token) => (token.kind === 'dense' ? splitDense(token, words.lexicon) : token))
  let at = 0
  for (let token = tokens[0]; token !== undefined; token = tokens[at]) {
    if (token.kind === 'stop') {
      sentences.push(current)
      current = []
      at++
      continue
    }
    const { item, count } = itemAt(tokens, at, { token, ...words })
    current.push(item)
    at += count
  }
  return [...sentences, current].filter(({ length }) => length > 0)
}

type Found = { item: Item; count: number }

function itemAt(tokens: readonly Token[], at: number, given: Words & { token: Token }): Found {
  const { names, token } = given
  const { start, end, key, kind } = token
  const rest = { meaning: NO_MEANING, sources: [], glob: null, version: null, unknown: false }
  const item: Item = { start, end, key, isQuoted: kind === 'quoted', isComma: kind === 'comma', ...rest }
  const one = (more: Partial<Item>): Found => ({ item: { ...item, ...more }, count: 1 })
  if (kind === 'url') return one(addressed(names, key))
  if (kind === 'path') return one(pathed(names, key))
  if (kind === 'word') return phraseAt(tokens, at, { item, ...given }) ?? one(wordItem(key, given))
  if (kind !== 'quoted') return one({})
  const named = names.whole(key.split(' '))
  if (named !== null) return one({ sources: [named] })
  return one(key.includes('/') || key.includes('*') ? pathed(names, key) : {})
}

/** The longest phrase of words that begins here: a source's whole name, or a phrase of the lexicon. */
function phraseAt(tokens: readonly Token[], at: number, { item, lexicon, names }: Words & { item: Item }) {
  const keys: string[] = []
  let best: Found | null = null
  for (let count = 1; count <= lexicon.mostWords; count++) {
    const token = tokens[at + count - 1]
    if (token?.kind !== 'word') break
    keys.push(token.key)
    const key = keys.join(' ')
    const source = names.whole(keys)
    const meaning = lexicon.find(key)
    // A kind such as `docs` stays a kind, even if an address ends with it.
    const isSource = source !== null && (meaning?.kind === undefined || count > 1 || names.isLabel(keys))
    if (!isSource && meaning === undefined) continue
    const sources = isSource ? [source] : []
    best = { item: { ...item, end: token.end, key, meaning: meaning ?? NO_MEANING, sources }, count }
  }
  return best
}

/** A word that no vocabulary has: a language with an addition, a version, a host, a file, or part of a name. */
function wordItem(key: string, { lexicon, names }: Words): Partial<Item> {
  const code = key.includes('-') ? lexicon.find(key.split('-', 1)[0] ?? '')?.code : undefined
  if (code !== undefined) return { meaning: { tags: [], code } }
  if (isVersion(key)) return { version: key }
  if (FILE.test(key)) return { glob: `*/${key}` }
  if (HOST.test(key)) return addressed(names, key)
  return { sources: LETTERS.test(key) ? names.byWord(key) : [] }
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
  const add = (from: number, to: number) => {
    if (from < to) tokens.push({ start: start + from, end: start + to, kind: 'word', key: key.slice(from, to) })
  }
  let unknown = 0
  for (let at = 0; at < key.length;) {
    let length = Math.min(mostChars, key.length - at)
    while (length > 0 && !dense.has(key.slice(at, at + length))) length--
    if (length === 0) at++
    else {
      add(unknown, at)
      add(at, at + length)
      at += length
      unknown = at
    }
  }
  add(unknown, key.length)
  return tokens
}
