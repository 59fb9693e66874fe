const HEADING = /^ {0,3}(#{1,6})(?=[ \t])/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
/** Maximum length in characters. A longer description is a misplaced book. */
const MAX_TEXT = 100_000

/** Embeds Markdown into a section: its headings start one level below `level`, its fences stay unchanged. */
export function embedText(text: string, level: number): string {
  const lines = text.slice(0, MAX_TEXT).replaceAll('\r\n', '\n').split('\n')
  const headings = outsideFences(lines).map((index) => HEADING.exec(lines[index] ?? '')?.[1]?.length ?? 7)
  const highest = Math.min(...headings, 7)
  const down = level + 1 - highest
  if (highest === 7 || down <= 0) return lines.join('\n').trim()
  for (const index of outsideFences(lines)) {
    lines[index] = (lines[index] ?? '').replace(HEADING, (_, marks: string) =>
      '#'.repeat(Math.min(6, marks.length + down)),
    )
  }
  return lines.join('\n').trim()
}

/** Converts Markdown to one table cell. */
export function cellText(text: string): string {
  const line = text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  return text.length > 1_000 ? `${line} …` : line
}

function outsideFences(lines: string[]): number[] {
  const outside: number[] = []
  let fence: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? null
    if (fence === null && mark === null) outside.push(index)
    else if (fence === null) fence = mark
    else if (mark?.startsWith(fence)) fence = null
  }
  return outside
}
