/** Character classes of the word scanner, one per UTF-16 code unit. */
export const SEPARATOR = 1
export const LETTER = 2
export const DIGIT = 3
/** A letter of a script written without spaces between words. */
export const DENSE = 4

const letter = /[\p{L}\p{M}_$]/u
const digit = /\p{N}/u
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC]/u

/** Cached classes of the basic plane. 0: not classified yet. */
const known = new Uint8Array(0x10000)

/** Class of a code unit. Beyond the basic plane the high surrogate decides: Han is dense, anything else separates. */
export function charClass(unit: number): number {
  return known[unit] || learn(unit)
}

function learn(unit: number): number {
  const kind = classify(unit)
  known[unit] = kind
  return kind
}

function classify(unit: number): number {
  // D840 to D887 are the high surrogates of rare Han characters. Their low surrogates continue the run as letters.
  if (unit >= 0xd840 && unit <= 0xd887) return DENSE
  if (unit >= 0xdc00 && unit <= 0xdfff) return SEPARATOR
  const char = String.fromCharCode(unit)
  if (dense.test(char)) return DENSE
  if (letter.test(char)) return LETTER
  return digit.test(char) ? DIGIT : SEPARATOR
}
