import { hash } from 'node:crypto'

/**
 * Version of the text format, as the last four hex digits of a text hash. Increase it when extraction or chunking
 * changes: the next refresh then fetches every page without conditions and indexes it again. Without an increase,
 * unchanged pages keep their old form.
 */
export const TEXT_FORMAT = '0008'

/**
 * Key of a page's text, which changes if the page needs indexing: 28 hex digits of SHA-256 over title, line feed and
 * Markdown, then `TEXT_FORMAT`.
 */
export function textHash(title: string, markdown: string): string {
  return hash('sha256', `${title}\n${markdown}`, 'hex').slice(0, 28) + TEXT_FORMAT
}

/** Whether a text has the current format. A key of an older program matches by chance once in 65,536. */
export function isOfTextFormat(key: string | null): boolean {
  return key?.endsWith(TEXT_FORMAT) ?? false
}

/** Characters of a text that are examined. */
const SHAPE_LENGTH = 2_000
/** Minimum remaining characters: lists of links are all alike. */
const LEAST = 40

/**
 * Hash of a text without headings, links and words with digits, so that endlessly generated pages have the same one.
 * Null if little else remains.
 */
export function textShape(markdown: string): string | null {
  const own = markdown
    .slice(0, SHAPE_LENGTH)
    .replace(/^#.*$/gm, '')
    .replace(/\[[^[\]\n]{0,300}\]\([^()\n]{0,300}\)/g, '')
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ')
    .trim()
  return own.length < LEAST ? null : hash('sha256', own, 'base64url').slice(0, 16)
}

/** Offset basis and prime of FNV-1a (Fowler, Noll and Vo). */
const [BASIS, PRIME] = [0x811c9dc5, 0x01000193]

/** 32 bits of FNV-1a over UTF-16 units. */
export function hashWord(word: string): number {
  let hash = BASIS
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME)
  return hash >>> 0
}

/** UTF-16 units of a text that are examined, and the words that count. */
const WORDS_LENGTH = 6_000
const MOST_WORDS = 400

/** Words, or single characters in scripts without spaces between words. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}_]+/gu
/** Boundaries between the parts of a name: `readFile`, `read_file`. */
const NAME_PART = /(?<=\p{Ll})(?=\p{Lu})|_+/u
/** Bit of the hashes of words with digits. */
const CODE_BIT = 0x80000000
const SHORT_NUMBER = /^\p{N}{1,4}$/u
const ADDRESS = /\]\([^()\s]{0,500}\)|https?:\/\/\S{1,500}/g

/**
 * Hashes the first words of a text in order, without URLs and short numbers, such as counters and years. Dates, times
 * and versions are one word each, so that random ones have no order.
 */
export function wordHashes(markdown: string): Uint32Array<ArrayBuffer> {
  const text = markdown.slice(0, WORDS_LENGTH).replaceAll(ADDRESS, ' ')
  const hashes: number[] = []
  let start = 0
  for (let at = 0; at <= text.length && hashes.length < MOST_WORDS; at++) {
    // `NaN` past the end would turn the comparisons of this loop into those of floating-point numbers.
    if (at < text.length && (isOfWord(text.charCodeAt(at)) || isInNumber(text, at))) continue
    if (at > start) addParts(text, start, at, hashes)
    start = at + 1
  }
  return Uint32Array.from(hashes.slice(0, MOST_WORDS))
}

/** False for ASCII characters that are in no word, and past the end of a text. */
function isOfWord(code: number): boolean {
  return code >= 97 ? code <= 122 || code >= 128 : code >= 65 ? code <= 90 || code === 95 : code >= 48 && code <= 57
}

const hashOf = (part: string) => hashWord(part.toLowerCase()) & ~CODE_BIT
const hashCode = (word: string) => (hashWord(word.toLowerCase()) | CODE_BIT) >>> 0

/** Whether a hash of `wordHashes` is that of a word with digits. */
export const isCode = (hash: number): boolean => hash >= CODE_BIT

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Whether the character separates two digits: one of `-./:`. */
function isInNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const isSeparator = (code >= 45 && code <= 47) || code === 58
  return isSeparator && isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1))
}

/** Adds the parts of a run of word characters. Most runs are ASCII, whose parts need no patterns. */
function addParts(text: string, start: number, end: number, hashes: number[]): void {
  const before = hashes.length
  let hash = BASIS
  let last = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    const isUpper = code >= 65 && code <= 90
    if (code < 65 || code >= 128) {
      // What was added of a word with digits, or of a run that needs patterns.
      hashes.length = before
      const run = text.slice(start, end)
      if (/[^\0-\x7f]/.test(run)) addForeign(run, hashes)
      else if (!SHORT_NUMBER.test(run)) hashes.push(hashCode(run))
      return
    }
    if (at > start && last !== 95 && (code === 95 || (isUpper && last >= 97))) {
      hashes.push(hash & ~CODE_BIT)
      hash = BASIS
    }
    if (code !== 95) hash = Math.imul(hash ^ (code | 32), PRIME)
    last = code
  }
  if (last !== 95) hashes.push(hash & ~CODE_BIT)
}

function addForeign(run: string, hashes: number[]): void {
  for (const [word] of run.matchAll(WORD)) {
    if (SHORT_NUMBER.test(word)) continue
    if (/\p{N}/u.test(word)) hashes.push(hashCode(word))
    else for (const part of word.split(NAME_PART)) if (part !== '') hashes.push(hashOf(part))
  }
}
