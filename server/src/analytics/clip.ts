/** Characters kept of one text, and of all the arguments of a call. */
const TEXT = 1_000
const ARGUMENTS = 8_000

/** Longest name that clients let a tool have. */
const NAME = 64

/** A text as the log keeps it: not too long, and without NUL, which PostgreSQL cannot store. */
export function clipText(text: string): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  return clean.length <= TEXT ? clean : `${clean.slice(0, TEXT - 1)}…`
}

/**
 * A name that a client made up, as it is counted under: short, and without what cannot be seen or stored, so that two
 * names that differ here differ in the database too.
 */
export function clipName(name: string): string {
  const short = name.length <= NAME ? name : `${name.slice(0, NAME - 1)}…`
  return short.replaceAll(/\p{C}/gu, '\uFFFD')
}

/**
 * The arguments of a call as JSON, long texts in them cut; what is long even so, or nested deeper than can be written,
 * is left out and that is said.
 */
export function clipArguments(given: unknown): string {
  try {
    // Where all of it is no longer than one text may be, nothing in it is, and a NUL would be written out.
    const plain = JSON.stringify(given ?? {})
    if (plain.length <= TEXT && !plain.includes('\\u0000')) return plain
    const json = JSON.stringify(given, (_, value: unknown) => (typeof value === 'string' ? clipText(value) : value))
    return json.length <= ARGUMENTS ? json : JSON.stringify({ omitted: `${json.length} characters` })
  } catch (error) {
    // Parsing has no such limit: a million brackets are read without a murmur.
    if (error instanceof RangeError) return JSON.stringify({ omitted: 'nested too deeply' })
    throw error
  }
}

/** What was asked, for tools that take a question or words to search for. */
export function queryOf(given: unknown): string | null {
  if (typeof given !== 'object' || given === null) return null
  const { question, query } = given as { question?: unknown; query?: unknown }
  const asked = typeof question === 'string' ? question : query
  if (typeof asked !== 'string') return null
  return clipText(asked.trim().replaceAll(/\s+/g, ' ')) || null
}
