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

/** 32 bits of FNV-1a (Fowler, Noll and Vo) over UTF-16 units. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** UTF-16 units of a text that are examined, and the words that count. */
const WORDS_LENGTH = 6_000
const MOST_WORDS = 400

/** Runs of characters between those of ASCII that are in no word. */
const RUN = /[\w\u0080-\uffff]+/g
const PLAIN_WORD = /^[A-Za-z]?[a-z]+$/
/** Words, or single characters in scripts without spaces between words. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}_]+/gu
/** Boundaries between the parts of a name: `readFile`, `read_file`. */
const NAME_PART = /(?<=\p{Ll})(?=\p{Lu})|_+/u
const ADDRESS = /\]\([^()\s]{0,500}\)|https?:\/\/\S{1,500}/g

/** Hashes the first words of a text in order, without URLs and words with digits. */
export function wordHashes(markdown: string): Uint32Array<ArrayBuffer> {
  const hashes: number[] = []
  for (const [run] of markdown.slice(0, WORDS_LENGTH).replaceAll(ADDRESS, ' ').matchAll(RUN)) {
    // Most runs are one plain word.
    if (PLAIN_WORD.test(run)) hashes.push(hashWord(run.toLowerCase()))
    else
      for (const [word] of run.matchAll(WORD)) {
        if (/\p{N}/u.test(word)) continue
        for (const part of word.split(NAME_PART)) if (part !== '') hashes.push(hashWord(part.toLowerCase()))
      }
    if (hashes.length >= MOST_WORDS) break
  }
  return Uint32Array.from(hashes.slice(0, MOST_WORDS))
}
