/** Finds external references in the raw text. Most descriptions have none and need no second pass. */
const OUTSIDE = /\$ref["']?\s*:\s*["']?[^#\s"']/

/** Returns true if the text contains references to other files. */
export function refersOutside(text: string): boolean {
  return OUTSIDE.test(text)
}
