/** Words of a document, used to decide about hyphens at line ends. */
export type Vocabulary = ReadonlySet<string>

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu
const BROKEN = /(?<!\p{L})(\p{L}+)-$/u

/** Returns all words of the lines except those broken at a line end. */
export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>()
  for (const line of lines) {
    for (const [word] of line.replace(BROKEN, '').matchAll(WORD)) words.add(word.toLowerCase())
  }
  return words
}

/**
 * Joins two lines of a paragraph. Removes a hyphen at the line end, unless the document contains only the hyphenated
 * word.
 */
export function joinLines(before: string, after: string, vocabulary: Vocabulary): string {
  const broken = BROKEN.exec(before)?.[1]
  const rest = /^\p{Ll}+/u.exec(after)?.[0]
  if (broken === undefined || rest === undefined) return `${before} ${after}`
  const whole = (broken + rest).toLowerCase()
  const hyphened = `${broken}-${rest}`.toLowerCase()
  const keeps = vocabulary.has(hyphened) && !vocabulary.has(whole)
  return (keeps ? before : before.slice(0, -1)) + after
}
