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

/** A word that can follow a hyphen with a space: `short- and long-term`. */
const AFTER_SUSPENDED = /^(?:and|or|to|und|oder|bis|et|ou)(?= )/
const URL_MARK = /[./_=&?#~%-]/

/**
 * Joins two lines of a paragraph. Removes a hyphen at the line end, unless the document contains only the hyphenated
 * word. Joins the parts of a divided URL, and of a name with a hyphen such as `UTF-8`.
 */
export function joinLines(before: string, after: string, vocabulary: Vocabulary): string {
  if (goesOnInUrl(before, after)) return before + after
  const broken = BROKEN.exec(before)?.[1]
  if (broken === undefined || AFTER_SUSPENDED.test(after)) return `${before} ${after}`
  const rest = /^\p{Ll}+/u.exec(after)?.[0]
  if (rest === undefined) return /^[\p{Lu}\p{N}]/u.test(after) ? before + after : `${before} ${after}`
  const whole = (broken + rest).toLowerCase()
  const hyphened = `${broken}-${rest}`.toLowerCase()
  const keeps = vocabulary.has(hyphened) && !vocabulary.has(whole)
  return (keeps ? before : before.slice(0, -1)) + after
}

/**
 * True if a URL at the end of a line goes on in the next. Either a mark follows, or one precedes and the next word has
 * another mark or a digit. Other words can follow a complete URL: `at https://x.example/` and then `for details`.
 */
function goesOnInUrl(before: string, after: string): boolean {
  const url = before.slice(before.lastIndexOf(' ') + 1)
  const word = after.split(' ', 1)[0] ?? ''
  if (!/https?:\/\/|\bwww\./.test(url)) return false
  if (/^[/?#&=]/.test(word)) return true
  return URL_MARK.test(url.slice(-1)) && /^[\p{Ll}\p{N}]/u.test(word) && /[./_=&?#~%\d-]./.test(word)
}
