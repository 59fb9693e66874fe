import { longestRun, markdownBlocks } from '#documents/model/markdown-blocks.ts'

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

/** Returns a fence for code: longer than any run of backticks in it. */
export function fenceOf(code: string): string {
  return '`'.repeat(Math.max(3, longestRun(code) + 1))
}

/** Encloses code in fences. */
export function fenced(code: string, language = ''): string {
  const fence = fenceOf(code)
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

/** Maximum length in characters. A longer description is a misplaced book. */
const MAX_TEXT = 100_000

/** Embeds Markdown into a section: its headings start one level below `level`, its fences stay unchanged. */
export function embedText(text: string, level: number): string {
  const source = text.slice(0, MAX_TEXT).replaceAll('\r\n', '\n').trim()
  if (!/^ {0,3}#/m.test(source)) return source
  const headings = markdownBlocks(source).filter((block) => block.kind === 'heading')
  const down = level + 1 - Math.min(...headings.map((heading) => heading.level))
  let embedded = ''
  let at = 0
  for (const heading of down > 0 ? headings : []) {
    embedded += source.slice(at, heading.start) + '#'.repeat(Math.min(6 - heading.level, down))
    at = source.indexOf('#', heading.start)
  }
  return embedded + source.slice(at)
}
