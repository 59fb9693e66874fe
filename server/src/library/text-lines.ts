/** Characters of a line that are looked at. Rows of real tables and items of lists stay below; data goes beyond. */
export const MAX_LINE = 10_000

/** The lines of a text for analysis, each cut at `MAX_LINE`. */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line))
}
