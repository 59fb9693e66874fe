/** Maximum length of a name. Real names are identifiers of a few words. */
const MAX_LENGTH = 300

/** Sanitises an untrusted name for a heading, a sentence or a code span. */
export function oneLineOf(name: string): string {
  return name.slice(0, MAX_LENGTH).replace(/\s+/gu, ' ').replaceAll('`', "'").trim()
}
