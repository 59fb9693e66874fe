/** The text of a Markdown heading without closing marks: `Setup` of `Setup ##`. Never empty for non-empty text. */
export function headingText(text: string): string {
  return text.replace(/(?<!#)#+$/, '').trimEnd() || text.slice(0, 1)
}
