/** What a description refers to outside of itself shows in its text; most refer to nothing, and are not read twice. */
const OUTSIDE = /\$ref["']?\s*:\s*["']?[^#\s"']/

/** Whether a text has references to something outside of itself. */
export function refersOutside(text: string): boolean {
  return OUTSIDE.test(text)
}
