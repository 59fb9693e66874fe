/** A part of a sentence. `start` and `end` are offsets into it. */
export type Token = {
  start: number
  end: number
  /** `stop` ends a sentence. `path` has a slash or a star. `dense` is a run of a script without spaces. */
  kind: 'word' | 'path' | 'url' | 'quoted' | 'comma' | 'stop' | 'dense'
  /** Folded, without the quotation marks. Paths keep their case. */
  key: string
  /** A word in lower case with its accents. */
  written?: string
}

const QUOTES = new Map(
  ['""', '“”', '„“', '«»', '「」', '『』', '``', "''", '‘’'].map((pair) => [pair.charAt(0), pair.charAt(1)]),
)
/** Maximum characters between quotation marks. */
const MOST_QUOTED = 100
const BREAKS = new Set(' \t\n\r\u00a0\u3000,;!?¿¡()[]{}"“”„«»「」『』`，。！？；：、・—–')
const STOPS = '.!?;。！？；\n'
const COMMAS = ',，、:：()（）—–'
const TRAILING = '.:!?'
/** French and Italian articles and particles that are written together with the next word. */
const ELIDED =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|all|dall|dell|nell|sull|quell|quest|nient|nessun|tutt|sull)'(?=.)/

/** Splits a sentence into tokens, in time linear to its length. */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const char = text.charAt(at)
    const start = at
    const quoted = closeQuote(text, at)
    if (quoted !== null) {
      at = quoted
      tokens.push({ start, end: at, kind: 'quoted', key: fold(text.slice(start + 1, at - 1)).trim() })
    } else if (STOPS.includes(char)) tokens.push({ start, end: ++at, kind: 'stop', key: char })
    else if (COMMAS.includes(char)) tokens.push({ start, end: ++at, kind: 'comma', key: ',' })
    else if (isDense(char)) {
      at = runEnd(text, at, isDense)
      tokens.push({ start, end: at, kind: 'dense', key: text.slice(start, at) })
    } else if (BREAKS.has(char)) at++
    else at = readRun(text, at, tokens)
  }
  return tokens
}

/** The words of a text, also those between quotation marks and in paths. */
export function wordsOf(text: string): Token[] {
  return tokenise(text).flatMap((token): Token[] => {
    const { start, end, kind } = token
    if (kind === 'comma' || kind === 'stop') return []
    if (kind !== 'quoted') return [kind === 'path' ? { ...token, key: fold(token.key) } : token]
    const inside = wordsOf(text.slice(start + 1, end - 1))
    return inside.map((word) => ({ ...word, start: word.start + start + 1, end: word.end + start + 1 }))
  })
}

/** Han, Hiragana and Katakana of the basic plane. A test of code units, because it runs on each character. */
export function isDense(char: string): boolean {
  const code = char.charCodeAt(0)
  return (code >= 0x3041 && code <= 0x30ff && code !== 0x30fb) || (code >= 0x3400 && code <= 0x9fff) || code === 0x3005
}

function closeQuote(text: string, at: number): number | null {
  const close = QUOTES.get(text.charAt(at))
  if (close === undefined) return null
  const isApostrophe = close === "'" || close === '’'
  if (isApostrophe && at > 0 && !BREAKS.has(text.charAt(at - 1))) return null
  const end = text.slice(at + 1, at + 1 + MOST_QUOTED).indexOf(close)
  if (end <= 0) return null
  const next = text.charAt(at + 2 + end)
  // An apostrophe inside a word does not close.
  return isApostrophe && next !== '' && !BREAKS.has(next) && !TRAILING.includes(next) ? null : at + 2 + end
}

/** Reads a run of characters without spaces. Returns its end. */
function readRun(text: string, start: number, tokens: Token[]): number {
  const isUrl = /^https?:\/\//i.test(text.slice(start, start + 8))
  const whole = runEnd(text, start, (next) => !BREAKS.has(next) && (isUrl || !isDense(next)))
  let end = whole
  while (end > start + 1 && TRAILING.includes(text.charAt(end - 1))) end--
  const key = fold(text.slice(start, end))
  const elided = ELIDED.exec(key)?.[0] ?? ''
  if (isUrl) tokens.push({ start, end, kind: 'url', key })
  else if (isPath(key)) tokens.push({ start, end, kind: 'path', key: text.slice(start, end) })
  else if (elided !== '' && key.length === end - start) {
    const middle = start + elided.length
    tokens.push({ start, end: middle, kind: 'word', key: elided })
    tokens.push({ start: middle, end, kind: 'word', key: key.slice(elided.length) })
  } else tokens.push({ start, end, kind: 'word', key, written: text.slice(start, end).toLowerCase() })
  if (end < whole) tokens.push({ start: end, end: whole, kind: text.charAt(end) === ':' ? 'comma' : 'stop', key: '.' })
  return whole
}

function isPath(key: string): boolean {
  if (key === 'and/or' || key === '/' || key === '*') return false
  return key.includes('/') || key.includes('*')
}

function runEnd(text: string, start: number, isPart: (char: string) => boolean): number {
  let end = start + 1
  while (end < text.length && isPart(text.charAt(end))) end++
  return end
}

const ACCENTS = /[\u0300-\u036f]/g

/** A text for comparison: lower case, without accents, with straight apostrophes. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
    .replaceAll('\u2019', "'")
}

/** Letters that forms of a word have in common, at least, and those that an ending has, at most. */
const LEAST_STEM = 4
const MOST_ENDING = 3

/** True for two folded words that are the same, or forms of one. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= LEAST_STEM && long.length - short.length <= MOST_ENDING && long.startsWith(short.slice(0, -1))
}
