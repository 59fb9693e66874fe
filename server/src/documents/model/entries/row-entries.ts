import type { Entry, Span, Block } from '../document.ts'
import { tableOf, itemsOf, linesOf } from '../read-block.ts'
import { labelEntry, columnKind } from './label.ts'

/** Rows of a table. A larger one is data. */
const MOST_ROWS = 500
/** Empty cells before the name of a row. */
const MOST_EMPTY = 1

/** The rows of a table that begin with a name. A name in the header is the entry that the text below the table describes. */
export function rowEntries(text: string, block: Span): Entry[] {
  const { header, rows } = tableOf(text, block)
  if (header === null || rows.length > MOST_ROWS) return []
  const cellAt = ({ start, end }: Span) => text.slice(start, end)
  const first = header.cells[0]
  const kind = columnKind(first === undefined ? '' : cellAt(first).replaceAll(/[*`]/g, ''))
  return rows.flatMap(({ start, end, cells }) => {
    const at = cells.findIndex((cell) => cell.end > cell.start)
    const cell = at > MOST_EMPTY ? undefined : cells[at]
    const isTitle = cells.every((each, index) => index === at || each.start === each.end)
    return cell === undefined || isTitle ? [] : (labelEntry(text, { start, end }, cell, kind) ?? [])
  })
}

/** A label at the start of an item or a line: `**name**`, `__name__` or code. */
const MARKS = ['**', '__', '`'] as const
/** What follows the label of a paragraph: `**Lid**: …`, `**Lid** – …`. */
const SEPARATOR = /^(?: \([^()\n]{0,80}\))?[ \t]{0,2}[:：–—-][ \t]{0,4}\S/

/** Items of a list, and lines of a paragraph, that begin with a name as code or in bold. */
export function itemEntries(text: string, block: Block): Entry[] {
  const own = text.slice(block.start, block.end)
  if (!MARKS.some((mark) => own.includes(mark))) return []
  return block.kind === 'list' ? ofList(text, block) : ofLines(text, block)
}

function ofList(text: string, block: Span): Entry[] {
  return itemsOf(text, block).flatMap(({ start, end, body }) => {
    const label = labelAt(text, body, end)
    const isDescribed = label !== null && text.slice(label.end, end).trim().length > 1
    return isDescribed ? (labelEntry(text, { start, end }, label) ?? []) : []
  })
}

function ofLines(text: string, block: Span): Entry[] {
  const labels: Span[] = []
  for (const { start, end } of linesOf(text, block)) {
    const label = labelAt(text, start, end)
    if (label !== null && isSeparated(text, label, end)) labels.push(label)
  }
  return labels.flatMap((label, at) => {
    const end = labels[at + 1] === undefined ? block.end : (labels[at + 1]?.start ?? 0) - 1
    return labelEntry(text, { start: label.start, end }, label) ?? []
  })
}

/** The colon can be inside: `**Lid:** what it does`. */
function isSeparated(text: string, { start, end }: Span, lineEnd: number): boolean {
  const rest = text.slice(end, Math.min(lineEnd, end + 100))
  return SEPARATOR.test(rest) || (/[:：]\*\*$/.test(text.slice(start, end)) && rest.trim() !== '')
}

/** The label that begins at an offset, with its marks, or null. */
function labelAt(text: string, at: number, end: number): Span | null {
  const mark = MARKS.find((each) => text.startsWith(each, at))
  if (mark === undefined) return null
  const close = text.indexOf(mark, at + mark.length)
  return close < 0 || close + mark.length > end ? null : { start: at, end: close + mark.length }
}
