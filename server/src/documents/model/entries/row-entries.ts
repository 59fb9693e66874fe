import type { Entry, Span } from '../document.ts'
import { tableOf } from '../read-block.ts'
import { labelEntry } from './label.ts'
import { columnKind } from './name-kind.ts'

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
