import { attribute, type HtmlTree } from './html-tree.ts'

/** Wider tables than this are drawn by layout, not by data. */
const MAX_COLUMNS = 100

export type TableShape = {
  rows: { start: number; end: number; head: boolean }[][]
  caption: { start: number; end: number } | null
}

const BLOCKS_IN_CELLS = new Set([
  'pre',
  'table',
  'h1',
  'h2',
  'h3',
  'article',
  'section',
  'form',
  'blockquote',
  'details',
])

/**
 * Cells of the table at `start`, row by row, as slices of the tree; null when the table is layout: one column or one
 * cell, or cells that hold whole blocks (code, headings, tables) which a line of a Markdown table cannot.
 */
export function tableShape(tree: HtmlTree, start: number): TableShape | null {
  const table = tree[start]
  if (table === undefined || attribute(table, 'role') === 'presentation') return null
  const rows: TableShape['rows'] = []
  let caption: TableShape['caption'] = null
  for (let i = start + 1; i < table.end; i++) {
    const node = tree[i]
    if (node === undefined) break
    if (node.dropped) i = node.end - 1
    else if (node.tag === 'caption') {
      caption = { start: i + 1, end: node.end }
      i = node.end - 1
    } else if (node.tag === 'tr') rows.push([])
    else if (node.tag === 'td' || node.tag === 'th') {
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push({ start: i + 1, end: node.end, head: node.tag === 'th' })
      const span = Math.min(Number.parseInt(attribute(node, 'colspan'), 10) || 1, MAX_COLUMNS)
      for (let extra = 1; extra < span; extra++)
        rows.at(-1)?.push({ start: node.end, end: node.end, head: node.tag === 'th' })
      i = node.end - 1
    }
    if (BLOCKS_IN_CELLS.has(node.tag)) return null
  }
  const full = rows.filter((row) => row.length > 0)
  const width = Math.max(0, ...full.map((row) => row.length))
  if (width < 2 || width > MAX_COLUMNS || holdsBlocks(tree, full)) return null
  return { rows: full, caption }
}

function holdsBlocks(tree: HtmlTree, rows: TableShape['rows']): boolean {
  for (const cell of rows.flat()) {
    for (let i = cell.start; i < cell.end; i++) {
      const node = tree[i]
      if (node !== undefined && !node.dropped && BLOCKS_IN_CELLS.has(node.tag)) return true
    }
  }
  return false
}
