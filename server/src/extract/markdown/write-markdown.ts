/** Joins the parts into a Markdown document and skips empty ones. */
export function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Joins lines, with at most one blank line in a row. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns a section of a document, or nothing if it is empty. */
export function section(heading: string, content: string): string {
  return content === '' ? '' : `## ${heading}\n\n${content}`
}

/** Encloses code in fences longer than any run of backticks in it. */
export function fenced(code: string, language = ''): string {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/** Returns the lines of a table whose first row is its head. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const [head, ...others] = rows.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
  return head === undefined ? [] : [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others]
}

function escapeCell(cell: string): string {
  return cell.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}

/** Renders rows as a Markdown table with `head`. Omits columns that are empty in every row. Empty without rows. */
export function writeTable(head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const used = head.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))
  return tableLines([head, ...rows].map((cells) => used.map((column) => cells[column] ?? ''))).join('\n')
}

/** Converts Markdown to one table cell. */
export function cellText(text: string): string {
  const line = text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  return text.length > 1_000 ? `${line} …` : line
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t])/
const FENCE = /^[ \t]*(`{3,}|~{3,})/
/** Maximum length in characters. A longer description is a misplaced book. */
const MAX_TEXT = 100_000

/** Embeds Markdown into a section: its headings start one level below `level`, its fences stay unchanged. */
export function embedText(text: string, level: number): string {
  const lines = text.slice(0, MAX_TEXT).replaceAll('\r\n', '\n').split('\n')
  const headings = outsideFences(lines).filter((index) => HEADING.test(lines[index] ?? ''))
  const levels = headings.map((index) => HEADING.exec(lines[index] ?? '')?.[1]?.length ?? 0)
  const down = level + 1 - Math.min(...levels)
  for (const index of down > 0 ? headings : []) {
    lines[index] = (lines[index] ?? '').replace(HEADING, (_, marks: string) =>
      '#'.repeat(Math.min(6, marks.length + down)),
    )
  }
  return lines.join('\n').trim()
}

function outsideFences(lines: readonly string[]): number[] {
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
