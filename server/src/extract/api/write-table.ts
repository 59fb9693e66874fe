/** Renders rows as a Markdown table with `head`. Omits columns that are empty in every row. Empty without rows. */
export function writeTable(head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const used = head.flatMap((_, column) => (rows.some((row) => (row[column] ?? '') !== '') ? [column] : []))
  const line = (cells: string[]) => `|${used.map((column) => ` ${escape(cells[column] ?? '')} |`).join('')}`
  return [line(head), `|${used.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n')
}

/** Encloses `code` in fences longer than any run of backticks in it. */
export function writeFence(language: string, code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${code}\n${fence}`
}

function escape(cell: string): string {
  return cell.replace(/(?<!\s)\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}
