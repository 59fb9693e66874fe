import { linesOf } from '../text-lines.ts'

/** A Markdown table. Cells are Markdown with escaped bars unescaped. */
export type Table = { head: string[]; rows: string[][] }

/** The pipe tables of a Markdown text, in order. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = []
  const lines = linesOf(markdown)
  for (let at = 0; at + 1 < lines.length; at++) {
    if (!isRow(lines[at]) || !isDelimiterRow(lines[at + 1] ?? '')) continue
    const head = cellsOf(lines[at] ?? '')
    const rows: string[][] = []
    for (at += 2; at < lines.length && isRow(lines[at]); at++) rows.push(cellsOf(lines[at] ?? ''))
    tables.push({ head, rows })
    at--
  }
  return tables
}

function isRow(line: string | undefined): boolean {
  return line !== undefined && line.trimStart().startsWith('|')
}

/** True for the delimiter row of a table: `| --- | :-: |`. The last cell may lack its dashes or its bar. */
function isDelimiterRow(line: string): boolean {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .split('|')
    .map((cell) => cell.trim())
  if (cells.length > 2 && cells.at(-1) === '') cells.pop()
  const last = cells.pop() ?? ''
  return cells.length > 0 && /^:?-*:?$/.test(last) && cells.every((cell) => /^:?-+:?$/.test(cell))
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
}
