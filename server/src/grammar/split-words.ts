import type { Lexicon } from './lexicon.ts'
import type { SourceNames } from './source-names.ts'
import type { Token } from './tokenise.ts'

const POSSESSIVE = /'s?$/
/** A letter that joins the parts of a German compound: Betriebshandbuch. */
const LINKING = /(?<=\p{L}{4})s$/u

/** Splits `Team-Seite`, `Betriebshandbuch` and `Vite's` into words, if their last part is a noun of the vocabulary. */
export function splitCompound(token: Token, { lexicon, names }: { lexicon: Lexicon; names: SourceNames }): Token[] {
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
  if (hyphen > 0 && (lexicon.find(last) !== undefined || names.byWord(last).length > 0) && !/\d/.test(last))
    return [...splitCompound(part(0, hyphen), { lexicon, names }), part(hyphen + 1, key.length)]
  const rest = lexicon.split(key)
  if (rest === null) return [token]
  const first = part(0, rest)
  return [{ ...first, key: first.key.replace(LINKING, '') }, part(rest, key.length)]
}

/** Numbers, which are written together with their unit: 两条. */
const DIGIT = /[一二两三四五六七八九十\d]/
/** Characters of phrases that can be parts of longer words. */
const SHORT = 2

/**
 * Splits a run without spaces into known phrases, the longest first, and the text between them. A short phrase counts
 * only where it is a word of its own: `会` is none in `会议`.
 */
export function splitDense(
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
