import type { Segment } from '#search/segment/open-segment.ts'

/** Minimum characters. Shorter words have too many neighbours. */
const MIN_LENGTH = 4
const WORD = /^(?=.*\p{L})[\p{L}\p{N}_$.]+$/u
/** Possible initials, for typos in the first letter. */
const INITIALS = [...'abcdefghijklmnopqrstuvwxyz0123456789_']

/**
 * Corrects a misspelt word. Candidates are at edit distance 1 (insertion, deletion, substitution or transposition) and
 * have the same digits. Returns the candidate on most pages. Null if there is none, or `raw` is not a word.
 */
export function repairSpelling(
  raw: string,
  segments: readonly Segment[],
  countPages: (word: string) => number,
): string | null {
  const word = raw.toLowerCase()
  if (word.length < MIN_LENGTH || !WORD.test(word)) return null
  const digits = digitsOf(word)
  let best: string | null = null
  let most = 0
  for (const candidate of [...sameInitial(word, segments), ...otherInitial(word, segments)].toSorted()) {
    // Different digits are no typo: `ipv6` does not mean `ipv4`, nor `sha512` `sha12`.
    if (digitsOf(candidate) !== digits) continue
    const pages = countPages(candidate)
    if (pages <= most) continue
    best = candidate
    most = pages
  }
  return best
}

const digitsOf = (word: string): string => word.replaceAll(/[^0-9]/g, '')

/** Known words that differ after the first letter: a range of the sorted dictionaries. */
function sameInitial(word: string, segments: readonly Segment[]): Set<string> {
  const candidates = new Set<string>()
  const [prefix] = word
  if (prefix === undefined) return candidates
  const bytes = new TextEncoder().encode(word)
  const isWanted = (key: Uint8Array, length: number) => mayBeOneEditAway(key, length, bytes)
  for (const { forms, terms } of segments)
    for (const dictionary of [forms, terms])
      dictionary.walk(
        (key) => {
          if (isOneEditAway(key, word)) candidates.add(key)
        },
        { prefix, isWanted },
      )
  return candidates
}

/** Maximum bytes changed by an edit: two letters of UTF-8, or two ASCII letters. */
const EDIT_BYTES = 8
const ASCII_EDIT_BYTES = 2

/**
 * Prefilter for edit distance 1: compares only the bytes between the common prefix and the common suffix. Spares
 * decoding nearly all keys of a dictionary. May return true for a larger distance, but never false for distance 1.
 */
export function mayBeOneEditAway(key: Uint8Array, length: number, word: Uint8Array): boolean {
  const least = Math.min(length, word.length)
  if (Math.abs(length - word.length) > EDIT_BYTES) return false
  let start = 0
  while (start < least && key[start] === word[start]) start++
  let end = 0
  while (end < least - start && key[length - 1 - end] === word[word.length - 1 - end]) end++
  const left = Math.max(length, word.length) - start - end
  if (left <= ASCII_EDIT_BYTES) return true
  if (left > EDIT_BYTES) return false
  for (let at = start; at < length - end; at++) if (key[at] > 127) return true
  for (let at = start; at < word.length - end; at++) if (word[at] > 127) return true
  return false
}

/** Known words that differ in the first letter. There are few candidates, so look up each. */
function otherInitial(word: string, segments: readonly Segment[]): string[] {
  const tail = word.slice(1)
  const swapped = word.slice(1, 2) + word.slice(0, 1) + word.slice(2)
  const possible = [tail, swapped, ...INITIALS.flatMap((initial) => [initial + tail, initial + word])]
  const isKnown = (key: string) =>
    segments.some(({ forms, terms }) => forms.find(key) !== null || terms.find(key) !== null)
  return possible.filter(isKnown)
}

/** True if one insertion, deletion, substitution or transposition turns `a` into `b`. False for equal words. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  if (a.slice(at + 1) === b.slice(at + 1)) return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
