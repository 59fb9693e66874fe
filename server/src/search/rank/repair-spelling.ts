import type { Segment } from '#search/segment/open-segment.ts'

/** Shorter words are one letter away from too many others. */
const MIN_LENGTH = 4
const WORD = /^(?=.*\p{L})[\p{L}\p{N}_$.]+$/u
/** What may stand first in a word, for slips on the first letter. */
const INITIALS = [...'abcdefghijklmnopqrstuvwxyz0123456789_']

/**
 * The word that was most likely meant: of those at edit distance 1 (one letter more, less, other, or two swapped), the
 * one on most pages, and with the same digits. Null when there is none, or `raw` is not a word.
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
    // Who writes `ipv6` or `sha512` does not mean `ipv4` or `sha12`.
    if (digitsOf(candidate) !== digits) continue
    const pages = countPages(candidate)
    if (pages <= most) continue
    best = candidate
    most = pages
  }
  return best
}

const digitsOf = (word: string): string => word.replaceAll(/[^0-9]/g, '')

/** Words that differ after the first letter: they stand together in the dictionaries. */
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
          return true
        },
        { prefix, isWanted },
      )
  return candidates
}

/** Bytes of two letters, which an edit changes at most; and of two that are ASCII. */
const EDIT_BYTES = 8
const ASCII_EDIT_BYTES = 2

/**
 * Whether `length` bytes of `key` may be one edit away from `word`, by what is left between their common beginning and
 * their common end: a look at a few bytes, which spares nearly all keys of a dictionary from being decoded.
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
  for (let at = start; at < length - end; at++) if ((key[at] ?? 0) > 127) return true
  for (let at = start; at < word.length - end; at++) if ((word[at] ?? 0) > 127) return true
  return false
}

/** Words that differ in the first letter, of which there are few. */
function otherInitial(word: string, segments: readonly Segment[]): string[] {
  const tail = word.slice(1)
  const swapped = word.slice(1, 2) + word.slice(0, 1) + word.slice(2)
  const possible = [tail, swapped, ...INITIALS.flatMap((initial) => [initial + tail, initial + word])]
  const isKnown = (key: string) =>
    segments.some(({ forms, terms }) => forms.find(key) !== null || terms.find(key) !== null)
  return possible.filter(isKnown)
}

/** Whether one insertion, deletion, substitution or swap of neighbours makes `a` into `b`. Equal words are not. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at)
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1)
  if (a.slice(at + 1) === b.slice(at + 1)) return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
