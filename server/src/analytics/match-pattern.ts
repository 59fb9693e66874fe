import type { Span } from './redact.ts'

const SPACE = /\s/

/**
 * Compiles a pattern in which `*` stands for any characters but white space. Upper and lower case of ASCII letters are
 * the same. A `*` at an end extends the match to the end of the word. Matching takes linear time: after a failure, it
 * goes on behind the word that was searched in vain.
 */
export function compilePattern(pattern: string): (text: string) => Span[] {
  const parts = toLower(pattern).split(/\*+/)
  const extends_ = { left: parts.at(0) === '', right: parts.at(-1) === '' }
  const literals = parts.filter((part) => part !== '')
  const [first, ...rest] = literals
  if (first === undefined) return () => []
  return (text) => {
    const lower = toLower(text)
    const spans: Span[] = []
    for (let start = lower.indexOf(first); start >= 0;) {
      const { end, searched } = matchRest(lower, start + first.length, rest)
      if (end === null) {
        // No later begin in the same word can succeed, unless the first part has a space.
        start = lower.indexOf(first, SPACE.test(first) ? start + 1 : Math.max(start + 1, searched))
        continue
      }
      spans.push([extends_.left ? wordBegin(lower, start) : start, extends_.right ? wordEnd(lower, end) : end])
      start = lower.indexOf(first, spans.at(-1)?.[1] ?? end)
    }
    return spans
  }
}

/** The end of the match, or null and where the search ended. */
function matchRest(text: string, from: number, parts: readonly string[]): { end: number | null; searched: number } {
  let at = from
  for (const part of parts) {
    const space = wordEnd(text, at)
    // The part may itself have spaces, but none may be before it.
    const found = text.slice(at, space + part.length).indexOf(part)
    if (found < 0 || at + found > space) return { end: null, searched: space }
    at += found + part.length
  }
  return { end: at, searched: at }
}

function wordEnd(text: string, from: number): number {
  const length = text.slice(from).search(SPACE)
  return length < 0 ? text.length : from + length
}

function wordBegin(text: string, from: number): number {
  let at = from
  while (at > 0 && !SPACE.test(text.charAt(at - 1))) at--
  return at
}

/** Keeps the length, which `toLowerCase` does not for all letters. */
const toLower = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
