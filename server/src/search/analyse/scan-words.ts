/** Character classes of the word scanner, one per UTF-16 code unit. */
const SEPARATOR = 1
const LETTER = 2
const DIGIT = 3

/** A letter of a script written without spaces between words. */
const DENSE = 4

/** Later classes win: letters of dense scripts are letters too. */
const CLASSES: readonly [kind: number, runs: RegExp][] = [
  [LETTER, /[\p{L}\p{M}_$]+/gu],
  [DIGIT, /\p{N}+/gu],
  [
    DENSE,
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30FC]+/gu,
  ],
]
const UNITS = 0x10000

const CLASS_OF = classify()

function classify(): Uint8Array {
  const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
  const units = Uint16Array.from({ length: UNITS }, (_, unit) => (isSurrogate(unit) ? 0 : unit))
  const text = Buffer.from(units.buffer).toString('utf16le')
  const classes = new Uint8Array(UNITS).fill(SEPARATOR)
  for (const [kind, pattern] of CLASSES)
    for (const { 0: run, index } of text.matchAll(pattern)) classes.fill(kind, index, index + run.length)
  // The high surrogates of rare Han characters. Anything else beyond the basic plane separates.
  return classes.fill(DENSE, 0xd840, 0xd888)
}

const DOT = 46
const APOSTROPHE = 39
const CURLY_APOSTROPHE = 0x2019

/** English suffixes after an apostrophe, which are not words. */
const CLITICS = new Set(['s', 't', 'd', 'm', 're', 've', 'll'])

/**
 * Finds the words of `text` between two offsets and calls `onWord` with the offsets of each, in order. A word is a run
 * of letters, digits, `_` and `$`. A dot between two such characters joins them (`path.join`, `1.2.3`). Runs in scripts
 * without spaces become overlapping pairs of characters.
 */
export function scanWords(text: string, from: number, to: number, onWord: (start: number, end: number) => void): void {
  let at = from
  while (at < to) {
    const kind = CLASS_OF[text.charCodeAt(at)]
    if (kind === SEPARATOR) at++
    else if (kind === DENSE) at = scanDense(text, at, to, onWord)
    else {
      const end = endOfWord(text, at, to)
      onWord(at, end)
      at = afterClitic(text, end, to)
    }
  }
}

/** True for a letter of a script written without spaces between words. */
export function isDenseAt(text: string, at: number): boolean {
  return CLASS_OF[text.charCodeAt(at)] === DENSE
}

/** True outside the text and for a character that cannot continue the word beside it. */
export function isBoundaryAt(text: string, at: number): boolean {
  return at < 0 || at >= text.length || !isWordUnit(text.charCodeAt(at))
}

function endOfWord(text: string, start: number, to: number): number {
  let at = start + 1
  while (at < to) {
    const unit = text.charCodeAt(at)
    const kind = CLASS_OF[unit]
    if (kind === DENSE) break
    if (kind !== SEPARATOR) at++
    else if (unit === DOT && at + 1 < to && isWordUnit(text.charCodeAt(at + 1))) at += 2
    else break
  }
  return at
}

function isWordUnit(unit: number): boolean {
  const kind = CLASS_OF[unit]
  return kind !== SEPARATOR && kind !== DENSE
}

function afterClitic(text: string, end: number, to: number): number {
  const unit = text.charCodeAt(end)
  if (unit !== APOSTROPHE && unit !== CURLY_APOSTROPHE) return end
  let at = end + 1
  while (at < to && at < end + 4 && isWordUnit(text.charCodeAt(at))) at++
  return CLITICS.has(text.slice(end + 1, at).toLowerCase()) ? at : end
}

function scanDense(text: string, start: number, to: number, onWord: (start: number, end: number) => void): number {
  let at = start
  let before = -1
  while (at < to && CLASS_OF[text.charCodeAt(at)] === DENSE) {
    const next = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    if (before >= 0) onWord(before, next)
    before = at
    at = next
  }
  const alone = before === start
  if (alone) onWord(start, at)
  return at
}
