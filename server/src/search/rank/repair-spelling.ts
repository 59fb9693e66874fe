import type { Segment } from '#search/segment/open-segment.ts'

/** Shorter words are one letter away from too many others. */
const MIN_LENGTH = 4
const WORD = /^\p{L}+$/u

/**
 * The word that was most likely meant: at edit distance 1 (one letter more, less, other, or two swapped), with the same
 * first letter unless that is where the slip is, on most pages. Null when there is none, or `raw` is not a plain word.
 */
export function repairSpelling(
  raw: string,
  segments: readonly Segment[],
  countPages: (word: string) => number,
): string | null {
  const word = raw.toLowerCase()
  if (word.length < MIN_LENGTH || !WORD.test(word)) return null
  const candidates = new Set<string>([word.slice(1), swapFirst(word)])
  const initial = word.slice(0, 1)
  for (const segment of segments)
    for (const dictionary of [segment.forms, segment.terms])
      dictionary.walk((key) => {
        if (!key.startsWith(initial)) return key < initial
        if (WORD.test(key) && isOneEditAway(key, word)) candidates.add(key)
        return true
      }, initial)
  let best: string | null = null
  let most = 0
  for (const candidate of candidates) {
    const pages = countPages(candidate)
    if (pages > most || (pages === most && best !== null && pages > 0 && candidate < best)) {
      best = candidate
      most = pages
    }
  }
  return best
}

function swapFirst(word: string): string {
  return word.slice(1, 2) + word.slice(0, 1) + word.slice(2)
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
