import type { RedactedKind, Redaction } from '@docent/contract/values/redaction'
import { isSecretName } from '#lib/addresses/secret-address.ts'
import { matchCards, matchEmails, matchTokens, toLower } from './find-secrets.ts'

/** Part of a text: from its first character to the one after its last. */
export type Span = readonly [start: number, end: number]

/** Removes texts that must not be stored. Takes linear time. */
export type Redact = {
  text(text: string): string
  /** A copy of a JSON value without it, in texts, numbers and names of members. */
  value(value: unknown): unknown
}

/** Characters of a text that are read, and of all texts of a value. The log keeps fewer. */
const READ = 3_000
const READ_OF_VALUE = 50_000
/** The end of a text that is cut may have a part of a secret. This is longer than an email address. */
const CUT_END = 400

/** Members of an object. Tools have fewer than a hundred arguments. */
const MEMBERS = 500
const OMITTED = '[omitted]'

const MATCHERS: Record<RedactedKind, (text: string) => Span[]> = {
  email: matchEmails,
  card: matchCards,
  token: matchTokens,
}

/** Compiles redactions that apply one after the other. Null if they remove nothing. */
export function createRedact(...redactions: readonly Redaction[]): Redact | null {
  const steps = redactions.flatMap(({ kinds, patterns }) => [
    ...patterns.map((pattern) => ({ mark: '[redacted]', match: compilePattern(pattern) })),
    ...kinds.map((kind) => ({ mark: `[${kind}]`, match: MATCHERS[kind] })),
  ])
  if (steps.length === 0) return null
  const text = (given: string) => {
    const isCut = given.length > READ
    const read = isCut ? given.slice(0, READ) : given
    const left = steps.reduce((rest, { mark, match }) => replaceSpans(rest, match(rest), mark), read)
    return isCut ? `${left.slice(0, -CUT_END)}…` : left
  }
  const hidesNames = redactions.some(({ kinds }) => kinds.includes('token'))
  const value = (given: unknown): unknown => {
    let room = READ_OF_VALUE
    const json = JSON.stringify(given ?? {}, (name, member: unknown) => {
      room -= name.length + (typeof member === 'string' ? Math.min(member.length, READ) : 1)
      // The rest is not read, and so not kept.
      if (room < 0) return OMITTED
      if (hidesNames && typeof member === 'string' && isSecretName(name)) return '[token]'
      if (typeof member === 'string') return text(member)
      if (typeof member === 'number') return redactNumber(member, text)
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      return Object.keys(member).length > MEMBERS ? OMITTED : renamed(member, text)
    })
    return JSON.parse(json) as unknown
  }
  return { text, value }
}

function redactNumber(number: number, text: (text: string) => string): number | string {
  const digits = String(number)
  const left = text(digits)
  return left === digits ? number : left
}

const renamed = (members: object, text: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [text(name), member]))

/** Spans are in order. Overlapping ones are one. */
function replaceSpans(text: string, spans: readonly Span[], mark: string): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const [start, end] of spans) {
    if (start >= at) result += text.slice(at, start) + mark
    at = Math.max(at, end)
  }
  return result + text.slice(at)
}

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
