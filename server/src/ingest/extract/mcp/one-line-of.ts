/** Names are identifiers of a few words; what is longer was not meant to be read as one. */
const MAX_LENGTH = 300

/** A name that a stranger gave, for the inside of a heading, a sentence or a code span. */
export function oneLineOf(name: string): string {
  return name.slice(0, MAX_LENGTH).replace(/\s+/gu, ' ').replaceAll('`', "'").trim()
}
