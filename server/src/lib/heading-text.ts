/** The text of a Markdown heading without the marks that close it: `Setup` of `Setup ##`. Never empty for a text. */
export function headingText(text: string): string {
  return text.replace(/(?<!#)#+$/, '').trimEnd() || text.slice(0, 1)
}
