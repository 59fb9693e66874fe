import { hashWord } from './hash-word.ts'

/** As much of a text as is looked at, in UTF-16 units, and the words of it that count. */
const LOOKED_AT = 6_000
const MOST_WORDS = 400

/** Words, and characters of scripts that put no blanks between words. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}_]+/gu
/** Between the words of a name: `readFile`, `read_file`. */
const NAME_PART = /(?<=\p{Ll})(?=\p{Lu})|_+/u
const ADDRESS = /\]\([^()\s]{0,500}\)|https?:\/\/\S{1,500}/g

/** Hashes of the first words of a text in their order, without addresses and words with digits. */
export function wordHashes(markdown: string): Uint32Array<ArrayBuffer> {
  const hashes: number[] = []
  for (const [word] of markdown.slice(0, LOOKED_AT).replaceAll(ADDRESS, ' ').matchAll(WORD)) {
    if (/\p{N}/u.test(word)) continue
    for (const part of word.split(NAME_PART)) if (part !== '') hashes.push(hashWord(part.toLowerCase()))
    if (hashes.length >= MOST_WORDS) break
  }
  return Uint32Array.from(hashes.slice(0, MOST_WORDS))
}
