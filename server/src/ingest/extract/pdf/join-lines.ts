/** Words of a document, as far as they tell where a hyphen belongs. */
export type Vocabulary = ReadonlySet<string>

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu
const BROKEN = /(?<!\p{L})(\p{L}+)-$/u

/** All words of the lines but those that a line's end breaks. */
export function vocabularyOf(lines: Iterable<string>): Vocabulary {
  const words = new Set<string>()
  for (const line of lines) {
    for (const [word] of line.replace(BROKEN, '').matchAll(WORD)) words.add(word.toLowerCase())
  }
  return words
}

/** Two lines of one paragraph as one. A hyphen at the end goes, unless the document has the word with it elsewhere. */
export function joinLines(before: string, after: string, vocabulary: Vocabulary): string {
  const broken = BROKEN.exec(before)?.[1]
  const rest = /^\p{Ll}+/u.exec(after)?.[0]
  if (broken === undefined || rest === undefined) return `${before} ${after}`
  const whole = (broken + rest).toLowerCase()
  const hyphened = `${broken}-${rest}`.toLowerCase()
  const keeps = vocabulary.has(hyphened) && !vocabulary.has(whole)
  return (keeps ? before : before.slice(0, -1)) + after
}
