import { oneLine } from '#lib/text/one-line.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { isMemberTable } from './section-markup.ts'

/** Content of a cell as a slice of the tree. */
export type Cell = { start: number; end: number }

export type TableShape = { rows: Cell[][]; caption: Cell | null }

/** A table with more columns is layout, not data. */
const MAX_COLUMNS = 100
const MAX_ROWS = 10_000

/** AsciiDoc blocks drawn as tables: callouts, and the legend of marks in code. */
const LAYOUT = /(?:^|\s)(?:admonitionblock|colist|hdlist)(?:\s|$)/

const CELL_ROLES = new Set(['cell', 'columnheader', 'gridcell', 'rowheader'])
const JAVADOC_TABLE = /(?:^|\s)summary-table(?:\s|$)/
const JAVADOC_CELL = /(?:^|\s)col-(?:first|second|third|constructor-name|summary-item-name|last)(?:\s|$)/

const PAIRS = /(?:^|\s)(?:colist|hdlist)(?:\s|$)/

/** Elements that do not fit into a row of a Markdown table. */
const BLOCKS = new Set(['pre', 'table', 'h1', 'h2', 'h3', 'article', 'section', 'form', 'blockquote', 'details'])

/**
 * Returns the cells of the table at `start`, row by row. Returns null for a layout table: a single column, or cells
 * with whole blocks such as code, headings and tables.
 */
export function tableShape(tree: HtmlTree, start: number): TableShape | null {
  const table = tree[start]
  if (table === undefined || isLayout(tree, start, table)) return null
  const rows: Cell[][] = []
  const place = createPlaces()
  let caption: Cell | null = null
  /** True if the current row is full: constructors without modifiers have no first column. */
  let isLast = true
  for (let i = start + 1; i < table.end; i++) {
    const node = tree[i]
    if (node === undefined) break
    const inner = { start: i + 1, end: node.end }
    if (isRowStart(node) || (isLast && hasClass(node, 'col-constructor-name'))) {
      place.beginRow()
      rows.push([])
    }
    if (node.tag === 'caption') {
      // Old Javadoc puts its filter labels into the caption.
      if (tree[i + 1]?.attribs['class'] !== 'activeTableTab') caption = inner
    } else if (isCell(node)) {
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push(...place.cell(node, inner))
      isLast = hasClass(node, 'col-last')
      i = node.end - 1
    }
  }
  const filled = rows.filter((row) => row.length > 0)
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0)
  return width < 2 || width > MAX_COLUMNS ? null : { rows: filled, caption }
}

/**
 * Returns the rows of a single-column data table, as DocBook draws tables of functions: a head and more than one row
 * below it. Empty for any other table.
 */
export function singleColumn(tree: HtmlTree, start: number): number[] {
  const table = tree[start]
  if (table?.tag !== 'table' || attribute(table, 'role') === 'presentation') return []
  const rows: number[] = []
  let cells = 0
  let head = false
  for (let i = start + 1; i < table.end; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === 'table') return []
    if (node.tag === 'tr') {
      rows.push(i)
      cells = 0
    } else if (isCell(node)) {
      if (++cells > 1) return []
      head ||= node.tag === 'th' && rows.length === 1
      if (head && rows.length > 1 && node.tag === 'th') return []
    }
  }
  return head && rows.length > 2 ? rows.slice(1) : []
}

/** Returns true for a table built from other elements: by its roles, or as a Javadoc summary. */
export function isBoxTable(node: HtmlNode): boolean {
  return node.tag === 'div' && (attribute(node, 'role') === 'table' || JAVADOC_TABLE.test(attribute(node, 'class')))
}

function isRowStart(node: HtmlNode): boolean {
  return node.tag === 'tr' || (node.tag === 'div' && (attribute(node, 'role') === 'row' || hasClass(node, 'col-first')))
}

function isCell(node: HtmlNode): boolean {
  if (node.tag === 'td' || node.tag === 'th') return true
  if (node.tag !== 'div') return false
  return CELL_ROLES.has(attribute(node, 'role')) || JAVADOC_CELL.test(attribute(node, 'class'))
}

function hasClass(node: HtmlNode, name: string): boolean {
  return attribute(node, 'class').split(/\s+/).includes(name)
}

function isLayout(tree: HtmlTree, start: number, table: HtmlNode): boolean {
  if (attribute(table, 'role') === 'presentation' || isMemberTable(tree, start, table)) return true
  return LAYOUT.test(attribute(tree[table.parent] ?? table, 'class')) || holdsBlocks(tree, { start, end: table.end })
}

/** Returns true if a row of a layout table is a pair: an AsciiDoc mark and its meaning. */
export function isPair(tree: HtmlTree, index: number, row: HtmlNode): boolean {
  const at = tree[row.parent]?.tag === 'table' ? row.parent : (tree[row.parent]?.parent ?? -1)
  const around = tree[tree[at]?.parent ?? -1]
  return (
    around !== undefined && PAIRS.test(attribute(around, 'class')) && !holdsBlocks(tree, { start: index, end: row.end })
  )
}

/** Returns the cells of one row. */
export function tableCells(tree: HtmlTree, index: number, row: HtmlNode): Cell[] {
  const cells: Cell[] = []
  for (let i = index + 1; i < row.end; i++) {
    const node = tree[i]
    if (node === undefined || !isCell(node)) continue
    cells.push({ start: i + 1, end: node.end })
    i = node.end - 1
  }
  return cells
}

/**
 * Places cells into columns. Adds empty cells for the other columns of a spanning cell, and below cells that span
 * several rows.
 */
function createPlaces() {
  /** Remaining rows of the spanning cell above, by column. */
  const below: number[] = []
  let column = 0
  return {
    beginRow(): void {
      // Count down spanning cells beyond the end of the finished row.
      for (let at = column; at < below.length; at++) below[at] = Math.max(0, (below[at] ?? 0) - 1)
      column = 0
    },
    cell(node: HtmlNode, inner: Cell): Cell[] {
      const empty = { start: node.end, end: node.end }
      const cells: Cell[] = []
      for (; (below[column] ?? 0) > 0 && column < MAX_COLUMNS; column++) {
        below[column] = (below[column] ?? 0) - 1
        cells.push({ ...empty })
      }
      const columns = spanOf(node, 'colspan', MAX_COLUMNS)
      const rows = spanOf(node, 'rowspan', MAX_ROWS)
      for (let at = 0; at < columns; at++) {
        cells.push(at === 0 ? inner : { ...empty })
        below[column++] = rows - 1
      }
      return cells
    },
  }
}

function spanOf(node: HtmlNode, name: 'colspan' | 'rowspan', most: number): number {
  return Math.max(1, Math.min(Number.parseInt(attribute(node, name), 10) || 1, most))
}

/** Returns true if the slice contains blocks below its first node. */
function holdsBlocks(tree: HtmlTree, slice: Cell): boolean {
  for (let i = slice.start + 1; i < slice.end; i++) {
    const node = tree[i]
    if (node !== undefined && !node.dropped && BLOCKS.has(node.tag)) return true
  }
  return false
}

/** Doxygen's tables of parameters, return values and exceptions. GTK-Doc marks the cells instead. */
const TABLE = /(?:^|\s)(?:params|retval|exception|tparams)(?:\s|$)/
const NAME = /(?:^|\s)(?:paramname|parameter_name|struct_member_name|enum_member_name)(?:\s|$)/
const TYPE = /(?:^|\s)(?:paramtype|paramdir)(?:\s|$)/
const NEAR = 24

/** A parameter with its type or direction, if given, and the cells that describe it. */
export type ParameterRow = { name: string; type: string; about: Cell[] }

/** Returns the rows of a parameter table, which has no head and reads like a list, or null for any other table. */
export function parameterRows(tree: HtmlTree, start: number, table: HtmlNode): ParameterRow[] | null {
  if (!TABLE.test(attribute(table, 'class')) && !firstCellNames(tree, start, table)) return null
  const rows: ParameterRow[] = []
  for (let i = start + 1; i < table.end; i++) {
    const node = tree[i]
    if (node?.tag !== 'tr') continue
    const cells = tableCells(tree, i, node)
    const named = cells.findIndex(({ start: at }) => isNamed(tree[at - 1], NAME))
    const typed = cells.findIndex(({ start: at }) => isNamed(tree[at - 1], TYPE))
    const text = (at: number) => {
      const cell = cells[at]
      return cell ? oneLine(textOf(tree, cell.start, cell.end)) : ''
    }
    if (named < 0 || text(named) === '') return null
    const about = cells.filter((_, at) => at !== named && at !== typed)
    rows.push({ name: text(named), type: text(typed), about })
    i = node.end - 1
  }
  return rows.length === 0 ? null : rows
}

/** Returns true if the definition contains such a table. The table then does not become a nested list. */
export function holdsParameters(tree: HtmlTree, index: number, definition: HtmlNode): boolean {
  for (let i = index + 1; i < Math.min(definition.end, index + 4); i++) {
    const node = tree[i]
    if (node?.tag === 'table') return TABLE.test(attribute(node, 'class'))
  }
  return false
}

function firstCellNames(tree: HtmlTree, start: number, table: HtmlNode): boolean {
  for (let i = start + 1; i < Math.min(table.end, start + NEAR); i++)
    if (tree[i]?.tag === 'td') return isNamed(tree[i], NAME)
  return false
}

function isNamed(node: HtmlNode | undefined, pattern: RegExp): boolean {
  return node !== undefined && pattern.test(attribute(node, 'class'))
}
