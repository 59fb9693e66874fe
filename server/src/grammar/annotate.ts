import { parseVersion } from '#lib/text/version.ts'
import { type Item, NO_MEANING, has, isName } from './item.ts'
import type { Gap, Lexicon, Lexicons, Meaning, Tag } from './lexicon.ts'
import type { SourceNames } from './source-names.ts'
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
    // `les questions d'installation`, `domande sull'installazione`
    const key = keys.map((each, place) => (place === 0 ? each : (ELIDED[each] ?? each))).join(' ')
    const source = names.whole(keys)
    // An accent can tell two words apart: `é` and `e`.
    const meaning = (count === 1 ? lexicon.find(token.written ?? key) : undefined) ?? lexicon.find(key)
    // A kind such as `docs` stays a kind, even if an address ends with it.
    const isSource = source !== null && (meaning?.kind === undefined || count > 1 || names.isLabel(keys))
    if (!isSource && meaning === undefined) continue
    // `the User Manual` is a name, though `the user` is a person.
    if (!isSource && meaning?.tags.includes('person') && count > 1 && beginsName(tokens.slice(at + 1), count, names))
      continue
    // A word of an address can be in the label of another source.
    const sources = isSource
      ? [...new Set([source, ...(count > 1 || names.isLabel(keys) ? [] : names.byWord(key))])]
      : []
    best = { item: { ...item, end: token.end, key, meaning: meaning ?? NO_MEANING, sources }, count }
  }
  return best
}

/** True if tokens begin with the name of a source that has so many words or more. */
const beginsName = (tokens: readonly Token[], least: number, names: SourceNames): boolean =>
  [2, 3, 4].some((to) => to >= least && names.whole(tokens.slice(0, to).map(({ key }) => key)) !== null)

/** Prepositions before a vowel, as phrases have them. */
const ELIDED: Readonly<Record<string, string>> = { "d'": 'de', "sull'": 'sul', "dell'": 'del', "all'": 'al' }

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

const POSSESSIVE = /'s?$/
/** A letter that joins the parts of a German compound: Betriebshandbuch. */
const LINKING = /(?<=\p{L}{4})s$/u

/** Splits `Team-Seite`, `Betriebshandbuch` and `Vite's` into words, if their last part is a noun of the vocabulary. */
function splitCompound(token: Token, { lexicon, names }: { lexicon: Lexicon; names: SourceNames }): Token[] {
  const { start, end, key } = token
  if (lexicon.find(key) !== undefined || names.whole([key]) !== null || key.length !== end - start) return [token]
  const plain = key.replace(POSSESSIVE, '')
  if (plain !== key && plain !== '')
    return splitCompound({ ...token, end: start + plain.length, key: plain }, { lexicon, names })
  const part = (from: number, to: number): Token => ({
    ...token,
    start: start + from,
    end: start + to,
    key: key.slice(from, to),
  })
  const hyphen = key.lastIndexOf('-')
  const last = key.slice(hyphen + 1)
  if (hyphen > 0 && (isNoun(lexicon.find(last)) || names.byWord(last).length > 0) && !/\d/.test(last))
    return [...splitCompound(part(0, hyphen), { lexicon, names }), part(hyphen + 1, key.length)]
  const rest = lexicon.split(key)
  if (rest === null) return [token]
  const first = part(0, rest)
  return [{ ...first, key: first.key.replace(LINKING, '') }, part(rest, key.length)]
}

const NOUNS: readonly Tag[] = [
  'generic',
  'results',
  'folder',
  'section',
  'questions',
  'version',
  'code',
  'person',
  'audience',
]

/** The second word of `on-call` is a verb. */
const isNoun = (meaning: Meaning | undefined): boolean =>
  meaning !== undefined && (meaning.tags.length === 0 || meaning.tags.some((tag) => NOUNS.includes(tag)))

/** Numbers, which are written together with their unit: 两条. */
const DIGIT = /[一二两三四五六七八九十\d]/
/** Characters of phrases that can be parts of longer words. */
const SHORT = 2

/**
 * Splits a run without spaces into known phrases, the longest first, and the text between them. A short phrase counts
 * only where it is a word of its own: `会` is none in `会议`.
 */
function splitDense(
  { start, key }: Token,
  { dense, mostChars, language }: Pick<Lexicon, 'dense' | 'mostChars' | 'language'>,
): Token[] {
  const tokens: Token[] = []
  const add = (from: number, to: number) => {
    if (from < to) tokens.push({ start: start + from, end: start + to, kind: 'word', key: key.slice(from, to) })
  }
  const bounds = new Set([key.length])
  for (const { index } of new Intl.Segmenter(language, { granularity: 'word' }).segment(key)) bounds.add(index)
  const begins = (from: number) => dense.has(key.slice(from, from + SHORT)) || DIGIT.test(key.charAt(from - 1))
  const isPhrase = (from: number, to: number, isNext: boolean) => {
    const isWord = (bounds.has(from) || isNext) && (bounds.has(to) || begins(to))
    return dense.has(key.slice(from, to)) && (to - from > SHORT || isWord)
  }
  let unknown = 0
  for (let at = 0; at < key.length;) {
    let length = Math.min(mostChars, key.length - at)
    while (length > 0 && !isPhrase(at, at + length, unknown === at)) length--
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

const PARTICLE: Meaning = { tags: ['filler'] }

/** Gives a verb the meaning that it has with its particle later in the clause: `werte den Blog ab`. */
function joinGaps(items: readonly Item[], { gaps }: Lexicon): readonly Item[] {
  if (gaps.size === 0) return items
  const joined = [...items]
  for (const [index, item] of items.entries()) {
    const own = gaps.get(item.key) ?? []
    const stop = items.findIndex((later, place) => place > index && later.isComma)
    const end = items.findIndex(
      (later, place) => place > index && own.some((gap) => isParticle(gap, later, items[place + 1])),
    )
    // A comma ends the clause of `ne … que`; that of a verb with a particle can have a list.
    if (own[0]?.isAnywhere && stop >= 0 && stop < end) continue
    const [particle, verb] = [items[end], own.filter((gap) => gap.particle === items[end]?.key)]
    if (particle === undefined) continue
    const meaning = { tags: [...new Set(verb.flatMap((gap) => gap.meaning.tags))] }
    // `ne … que` restricts what follows `que`.
    const isLate = verb.some(({ isAnywhere }) => isAnywhere)
    joined[index] = { ...item, meaning: isLate ? PARTICLE : meaning }
    joined[end] = { ...particle, meaning: isLate ? meaning : PARTICLE }
    // `werte A ab und B auf` needs the verb twice, which no clause has.
    const again = items.findIndex(
      (later, place) => place > end && own.some((gap) => isParticle(gap, later, items[place + 1])),
    )
    if (again >= 0) joined[again] = { ...(items[again] ?? item), meaning: NO_MEANING }
  }
  return joined
}

/** True for a particle at the end of its clause, or for one that can be anywhere. */
function isParticle({ particle, isAnywhere }: Gap, { key }: Item, next: Item | undefined): boolean {
  if (particle !== key) return false
  return (
    isAnywhere ||
    next === undefined ||
    next.isComma ||
    has(next, 'and', 'but', 'when', 'when_asked', 'reason', 'polite')
  )
}

/** Roles of words that are a name between an article and a noun for pages: the tokens page. */
const NAMING: ReadonlySet<Tag> = new Set(['length', 'manner', 'person', 'audience', 'noise', 'neutral'])
/** Roles of verbs that can also be the name of a page: the display page, the search section. */
const ACTS: readonly Tag[] = ['use', 'up', 'down', 'exclude', 'command', 'also', 'treat']
const VERBAL: ReadonlySet<Tag> = new Set([...ACTS, 'ask', 'disclose', 'override', 'means', 'refuse'])

/** Roles of words that are an acronym in capitals: REST, IT. */
const PRONOMINAL: ReadonlySet<Tag> = new Set(['other', 'it', 'person', 'filler', 'noise', 'in', 'declares'])

/** A word between an article and a noun for pages is a name, as is a verb in the middle of a sentence with a capital. */
function asNouns(items: readonly Item[]): Item[] {
  return items.map((item, index) => {
    const { meaning, text, key } = item
    if (meaning.tags.length === 0 || isName(item)) return item
    const isAcronym = /^\p{Lu}{2,}$/u.test(text) && meaning.tags.every((tag) => PRONOMINAL.has(tag))
    if (isAcronym) return { ...item, meaning: withoutTags(meaning) }
    if (!meaning.tags.every((tag) => VERBAL.has(tag) || NAMING.has(tag))) return item
    // `Staff pages are …`
    const isFirst = index === 0 && meaning.tags.every((tag) => NAMING.has(tag))
    const isBetween =
      (isFirst || has(items[index - 1], 'article')) && has(items[index + 1], 'generic', 'folder', 'section')
    const isCapital =
      index > 0 &&
      meaning.isBegun === true &&
      !items[index - 1]?.isComma &&
      /^\p{Lu}\p{Ll}/u.test(text) &&
      !key.includes(' ')
    return isBetween || (isCapital && !isAfterQuote(items, index)) ? { ...item, meaning: withoutTags(meaning) } : item
  })
}

/** A name keeps what it names: `Go examples`. */
const withoutTags = (meaning: Meaning): Meaning =>
  Object.keys(meaning).length > 1 ? { ...meaning, tags: [] } : NO_MEANING

const isAfterQuote = (items: readonly Item[], index: number): boolean => items[index - 1]?.isQuoted === true
