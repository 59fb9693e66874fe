import { parseVersion } from '#lib/text/version.ts'
import { asNouns, joinGaps } from './adjust-meanings.ts'
import { type Item, NO_MEANING } from './item.ts'
import type { Lexicon, Lexicons } from './lexicon.ts'
import type { SourceNames } from './source-names.ts'
import { splitCompound, splitDense } from './split-words.ts'
import { type Token, tokenise } from './tokenise.ts'

type Words = { lexicon: Lexicon; names: SourceNames }

/** Names that look like hosts but are files. */
const FILE =
  /\.(?:md|mdx|html?|txt|rst|json|ya?ml|pdf|docx|pptx|xlsx|odt|epub|ipynb|[jt]sx?|py|go|rs|java|rb|php|c|h|cpp|cs)$/
const HOST = /^(?:[a-z\d-]+\.)+[a-z]{2,}$/
const VERSION = /^v?\d[\w.*-]*$/
const LETTERS = /\p{L}/u

type Given = { lexicon: Lexicons; names: SourceNames }

/** Looks up the phrases of a rule, the longest first, in the language of each sentence. Returns its sentences as items. */
export function annotate(text: string, given: Given): Item[][] {
  return phrasesOf(text, given).map(({ items, lexicon }) => asNouns(joinGaps(items, lexicon)))
}

/** The sentences of a text as items, with all meanings of their phrases. */
export function phrasesOf(text: string, { lexicon: lexicons, names }: Given): { items: Item[]; lexicon: Lexicon }[] {
  const sentences: Token[][] = [[]]
  for (const token of tokenise(text)) {
    if (token.kind === 'stop') sentences.push([])
    else sentences.at(-1)?.push(token)
  }
  return sentences
    .filter(({ length }) => length > 0)
    .map((tokens) => {
      const [start = 0, end = 0] = [tokens[0]?.start, tokens.at(-1)?.end]
      const lexicon = lexicons.of(
        tokens.flatMap(({ kind, key }) => (kind === 'word' ? key : [])),
        text.slice(start, end),
      )
      return { items: itemsOf(tokens, text, { lexicon, names }), lexicon }
    })
}

function itemsOf(given: readonly Token[], text: string, words: Words): Item[] {
  const tokens = given.flatMap((token) => {
    if (token.kind === 'dense') return splitDense(token, words.lexicon)
    return token.kind === 'word' ? splitCompound(token, words) : [token]
  })
  const items: Item[] = []
  let at = 0
  for (let token = tokens[0]; token !== undefined; token = tokens[at]) {
    const { item, count } = itemAt(tokens, at, { token, ...words })
    items.push({ ...item, text: text.slice(item.start, item.end), language: words.lexicon.language })
    at += count
  }
  return items
}

type Found = { item: Item; count: number }

function itemAt(tokens: readonly Token[], at: number, given: Words & { token: Token }): Found {
  const { names, token } = given
  const { start, end, key, kind } = token
  const rest = { meaning: NO_MEANING, sources: [], glob: null, version: null, unknown: false }
  const item: Item = {
    start,
    end,
    key,
    text: key,
    language: '',
    isQuoted: kind === 'quoted',
    isComma: kind === 'comma',
    ...rest,
  }
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
    // An accent can tell two words apart: `é` and `e`.
    const meaning = (count === 1 ? lexicon.find(token.written ?? key) : undefined) ?? lexicon.find(key)
    // A kind such as `docs` stays a kind, even if an address ends with it.
    const isSource = source !== null && (meaning?.kind === undefined || count > 1 || names.isLabel(keys))
    if (!isSource && meaning === undefined) continue
    // A word of an address can be in the label of another source.
    const sources = isSource
      ? [...new Set([source, ...(count > 1 || names.isLabel(keys) ? [] : names.byWord(key))])]
      : []
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

const globOf = (path: string): string => (FILE.test(path) || path.includes('#') ? path : `${path}/*`)
