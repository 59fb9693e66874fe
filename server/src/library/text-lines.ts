/** Maximum characters read of a line. Rows of real tables and list items are shorter; longer lines are data. */
export const MAX_LINE = 10_000

/** Lines of a text for analysis, each truncated to `MAX_LINE`. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line))
}
