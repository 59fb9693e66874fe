import type { Redact } from './redact.ts'

/** Maximum length of one text, and of all arguments of a call together, in characters. */
const TEXT = 1_000
const ARGUMENTS = 8_000

/** Longest tool name that clients accept. Names and versions of clients get the same room. */
const NAME = 64
/** White space at an end, or other than one space between words. Most texts have none, and a replacement takes longer. */
const UNTIDY = /^\s|\s$|\s\s|[^\S ]/
const PLAIN = /^[ -~]*$/

/** Clips a text for the log and removes NUL and lone surrogates, which PostgreSQL cannot store. */
export function clipText(text: string): string {
  const clean = (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed()
  return clean.length <= TEXT ? clean : `${clean.slice(0, TEXT - 1).toWellFormed()}…`
}

/**
 * Clips a client-supplied name and removes invisible and unstorable characters. Names that differ here also differ in
 * the database.
 */
export function clipName(name: string): string {
  const short = name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`
  if (PLAIN.test(short)) return short
  return short.replaceAll(/\p{C}/gu, '\uFFFD')
}

/**
 * Serializes the arguments of a call as JSON, with long texts clipped. Replaces arguments that are still too long, or
 * nested too deep, by a note.
 */
export function clipArguments(given: unknown): string {
  try {
    // If the whole is within the limit for one text, so is each text. JSON escapes a NUL.
    const plain = JSON.stringify(given ?? {})
    if (plain.length <= TEXT && !plain.includes('\\u0000')) return plain
    const json = JSON.stringify(given, (_, value: unknown) => (typeof value === 'string' ? clipText(value) : value))
    return json.length <= ARGUMENTS ? json : JSON.stringify({ omitted: `${json.length} characters` })
  } catch (error) {
    return JSON.stringify(omittedBecauseOf(error))
  }
}

/** The question or search query among the arguments, for tools that take one. */
export function queryOf(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return null
  const { question, query } = given as { question?: unknown; query?: unknown }
  const asked = typeof question === 'string' ? question : query
  if (typeof asked !== 'string') return null
  return clipText(UNTIDY.test(asked) ? asked.trim().replaceAll(/\s+/g, ' ') : asked) || null
}

/** The arguments without texts that must not be stored. */
export function redactArguments({ value }: Redact, given: unknown): unknown {
  try {
    return value(given)
  } catch (error) {
    return omittedBecauseOf(error)
  }
}

/** `JSON.parse` has no depth limit and accepts a million brackets. */
function omittedBecauseOf(error: unknown): { omitted: string } {
  if (error instanceof RangeError) return { omitted: 'nested too deeply' }
  throw error
}
