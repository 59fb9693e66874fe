import { inSlices } from './in-slices.ts'

/**
 * Invisible characters, in which instructions can hide. Joiners (U+200C, U+200D) and the selector of emoji (U+FE0F)
 * carry meaning and stay.
 */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu
// eslint-disable-next-line no-control-regex -- the pattern removes control characters
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/g
const PLAIN_ASCII = /^[\u0020-\u007e\n\t]*$/

/** Removes invisible and control characters from prose. */
export function visible(text: string): string {
  if (PLAIN_ASCII.test(text)) return text
  return inSlices(text, (slice) => slice.replace(INVISIBLE, '').replace(CONTROL, ''))
}

/** White space other than single spaces, including no-break spaces. */
const RAGGED = /[^\S ]| {2}/

/** Replaces each run of white space, including no-break spaces, with one space. */
export function collapse(text: string): string {
  const shown = visible(text)
  return RAGGED.test(shown) ? inSlices(shown, (slice) => slice.replace(/\s+/g, ' ')) : shown
}

/** Collapses a text into one trimmed line. */
export function oneLine(text: string): string {
  return collapse(text).trim()
}

/** Maximum length of a name. Real names are identifiers of a few words. */
const MAX_NAME = 300

/** Sanitises an untrusted name for a heading, a sentence or a code span. */
export function oneLineOf(name: string): string {
  return name.slice(0, MAX_NAME).replace(/\s+/gu, ' ').replaceAll('`', "'").trim()
}
