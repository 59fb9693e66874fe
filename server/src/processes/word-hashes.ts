import { hashWord } from './hash-word.ts'

/** UTF-16 units of a text that are examined, and the words that count. */
const LOOKED_AT = 6_000
const MOST_WORDS = 400

/** Words, or single characters in scripts without spaces between words. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}_]+/gu
/** Boundaries between the parts of a name: `readFile`, `read_file`. */
const NAME_PART = /(?<=\p{Ll})(?=\p{Lu})|_+/u
const ADDRESS = /\]\([^()\s]{0,500}\)|https?:\/\/\S{1,500}/g

/** Hashes the first words of a text in order, without URLs and words with digits. */
export function wordHashes(markdown: string): Uint32Array<ArrayBuffer> {
  const hashes: number[] = []
  for (const [word] of markdown.slice(0, LOOKED_AT).replaceAll(ADDRESS, ' ').matchAll(WORD)) {
    if (/\p{N}/u.test(word)) continue
    for (const part of word.split(NAME_PART)) if (part !== '') hashes.push(hashWord(part.toLowerCase()))
    if (hashes.length >= MOST_WORDS) break
  }
  return Uint32Array.from(hashes.slice(0, MOST_WORDS))
}
