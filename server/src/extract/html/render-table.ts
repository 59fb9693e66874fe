import { elementAt } from '#lib/arrays.ts'
import type { AnchorPlaces } from './anchors.ts'
import {
  attribute,
  findInside,
  HAS_TEXT,
  hasClass,
  type HtmlNode,
  lineOf,
  type OpenElements,
  outermostInside,
} from './html-tree.ts'
import type { InlineText, LinePrefix, MarkdownWriter } from './markdown-writer.ts'
import { type InlineInput, inlineLine } from './render-inline.ts'
import { isMemberTable } from './section-markup.ts'
import { isNoiseLine } from './trim-page.ts'

export type RenderInput = InlineInput & {
  /** Tab labels by the element below them. */
  labels: Map<HtmlNode, string>
  /** Whether all headings are elements, so that no other block is one. */
  marksHeadings?: boolean
}

/** State of one pass over a tree. */
export type Rendering = RenderInput & {
  prefix: LinePrefix
  out: MarkdownWriter
  inline: InlineText
  open: OpenElements
  /** Lists used for layout. Their items have neither marker nor indent. */
  layoutLists: Set<HtmlNode | null>
  /** Rows of single-column tables, rendered as list items. The value is true for the first row. */
  itemRows: Map<HtmlNode, boolean>
  isTerm: boolean
  isNamed: (list: HtmlNode | null) => boolean
  placeOf: AnchorPlaces
  /** Whether paragraphs in a parent are a list of questions, each a heading. */
  isQuestionList: (parent: HtmlNode | null) => boolean
  /** 1 below a bold paragraph that is a heading, else 0. Definitions there belong to that heading. */
  bold: 0 | 1
  /** End index of the block with the table that repeats its name. */
  namedEnd: number
}

/** Writes the paragraph collected so far. One of symbols alone is an icon or an ornament, unless it is a term. */
export function flush(context: Rendering): void {
  const text = context.inline.take()
  const isKept = context.isTerm ? text !== '' : HAS_TEXT.test(text) && !isNoiseLine(text)
  context.isTerm = false
  if (isKept) context.out.paragraph(escapeStart(text))
}

/** Escapes prose that reads like a heading or a fence. Other syntax in prose is harmless. */
export function escapeStart(text: string): string {
  return text.replace(/^(?=#{1,6}\s|```|~~~)/gm, '\\')
}

/** A table with more columns is layout, not data. */
const MAX_COLUMNS = 100
const MAX_ROWS = 10_000

/** AsciiDoc blocks drawn as tables: callouts, and the legend of marks in code. */
const LAYOUT = new Set(['admonitionblock', 'colist', 'hdlist'])
const PAIRS = new Set(['colist', 'hdlist'])

const CELL_ROLES = new Set(['cell', 'columnheader', 'gridcell', 'rowheader'])
const JAVADOC_CELL = /(?:^|\s)col-(?:first|second|third|constructor-name|summary-item-name|last)(?:\s|$)/

/** Elements that do not fit into a row of a Markdown table. */
const BLOCKS = new Set(['pre', 'table', 'h1', 'h2', 'h3', 'article', 'section', 'form', 'blockquote', 'details'])

/** Returns true for a table built from other elements: by its roles, or as a Javadoc summary. */
export function isBoxTable(node: HtmlNode): boolean {
  return node.tag === 'div' && (node.attribs['role'] === 'table' || node.classes.has('summary-table'))
}

/** Writes a data table. Opens a layout table like any container. */
export function table(context: Rendering, node: HtmlNode): number {
  const parameters = parameterRows(node)
  if (parameters !== null) {
    listParameters(context, parameters)
    return node.end
  }
  const shape = tableShape(node)
  if (shape === null) {
    const rows = singleColumn(node)
    for (const [at, row] of rows.entries()) context.itemRows.set(row, at === 0)
    context.open.push(node.end, () => {
      flush(context)
      if (rows.length > 0) context.prefix.closeList()
    })
    return node.index + 1
  }
  const text = (cell: Cell | undefined) => (cell ? inlineLine(context, cell) : '')
  const caption = text(shape.caption)
  if (caption !== '') context.out.paragraph(caption)
  const rows = shape.rows.map((row) => row.map(text)).filter((row) => row.some((cell) => cell !== ''))
  // Columns without any text are margins, as in tables by groff.
  const isUsed = (column: number) => rows.some((row) => (row[column] ?? '') !== '')
  const columns = Array.from({ length: widthOf(rows) }, (_, column) => column).filter(isUsed)
  if (rows.length > 0) context.out.table(rows.map((row) => columns.map((column) => row[column] ?? '')))
  return node.end
}

function widthOf(rows: readonly (readonly unknown[])[]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0)
}

/** A cell, or null for a place below or beside a cell that spans it. */
type Cell = HtmlNode | null

/**
 * Returns the cells of a table, row by row. Returns null for a layout table: a single column, or cells with whole blocks
 * such as code, headings and tables.
 */
function tableShape(node: HtmlNode): { rows: Cell[][]; caption: Cell } | null {
  if (attribute(node, 'role') === 'presentation' || isMemberTable(node)) return null
  if (hasClass(node.parent, LAYOUT) || holdsBlocks(node)) return null
  const rows: Cell[][] = []
  const place = createPlaces()
  let caption: Cell = null
  /** True if the current row is full: constructors without modifiers have no first column. */
  let isLast = true
  for (let i = node.index + 1; i < node.end; i++) {
    const inner = elementAt(node.tree, i)
    if (isRowStart(inner) || (isLast && inner.classes.has('col-constructor-name'))) {
      place.beginRow()
      rows.push([])
    }
    if (inner.tag === 'caption') {
      // Old Javadoc puts its filter labels into the caption.
      if (node.tree[i + 1]?.attribs['class'] !== 'activeTableTab') caption = inner
    } else if (isCell(inner)) {
      if (rows.length === 0) rows.push([])
      rows.at(-1)?.push(...place.cell(inner))
      isLast = inner.classes.has('col-last')
      i = inner.end - 1
    }
  }
  const filled = rows.filter((row) => row.length > 0)
  const width = widthOf(filled)
  return width < 2 || width > MAX_COLUMNS ? null : { rows: filled, caption }
}

/**
 * Returns the rows of a single-column data table, as DocBook draws tables of functions: a head and more than one row
 * below it. Empty for any other table.
 */
function singleColumn(node: HtmlNode): HtmlNode[] {
  if (node.tag !== 'table' || attribute(node, 'role') === 'presentation') return []
  if (findInside(node, ({ tag }) => tag === 'table') !== undefined) return []
  const rows = rowsOf(node)
  const isData = rows.map(cellsOf).every(([cell, second], at) => !second && (cell?.tag === 'th') === (at === 0))
  return isData && rows.length > 2 ? rows.slice(1) : []
}

function isRowStart({ tag, attribs, classes }: HtmlNode): boolean {
  return tag === 'tr' || (tag === 'div' && (attribs['role'] === 'row' || classes.has('col-first')))
}

function isCell(node: HtmlNode): boolean {
  if (node.tag === 'td' || node.tag === 'th') return true
  return node.tag === 'div' && (CELL_ROLES.has(attribute(node, 'role')) || JAVADOC_CELL.test(attribute(node, 'class')))
}

function rowsOf(table: HtmlNode): HtmlNode[] {
  return outermostInside(table, ({ tag }) => tag === 'tr')
}

function cellsOf(row: HtmlNode): HtmlNode[] {
  return outermostInside(row, isCell)
}

function holdsBlocks(element: HtmlNode): boolean {
  const isBlock = ({ tag, dropped, classes }: HtmlNode) => !dropped && BLOCKS.has(tag) && !classes.has('cell-line')
  return findInside(element, isBlock) !== undefined
}

/** Returns true if a row of a layout table is a pair: an AsciiDoc mark and its meaning. */
export function isPair(row: HtmlNode): boolean {
  const around = row.parent?.tag === 'table' ? row.parent : row.parent?.parent
  return hasClass(around?.parent ?? null, PAIRS) && !holdsBlocks(row)
}

/** Writes a callout mark with its meaning, or a term with its definition. AsciiDoc draws both as two cells of a row. */
export function pair(context: Rendering, row: HtmlNode): number {
  const [first = '', ...rest] = cellsOf(row).map((cell) => inlineLine(context, cell))
  const number = /^\*\*(\d+)\*\*$/.exec(first)?.[1]
  context.out.paragraph(`${number === undefined ? `**${first}**` : `${number}.`} ${rest.join(' ')}`)
  return row.end
}

/** Places cells into columns, with empty places beside and below cells that span several. */
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
    cell(node: HtmlNode): Cell[] {
      const cells: Cell[] = []
      for (let left = below[column] ?? 0; left > 0 && column < MAX_COLUMNS; left = below[column] ?? 0) {
        below[column++] = left - 1
        cells.push(null)
      }
      const columns = spanOf(node, 'colspan', MAX_COLUMNS)
      const rows = spanOf(node, 'rowspan', MAX_ROWS)
      for (let at = 0; at < columns; at++) {
        cells.push(at === 0 ? node : null)
        below[column++] = rows - 1
      }
      return cells
    },
  }
}

function spanOf(node: HtmlNode, name: 'colspan' | 'rowspan', most: number): number {
  return Math.max(1, Math.min(Number.parseInt(attribute(node, name), 10) || 1, most))
}

/** Doxygen's tables of parameters, return values and exceptions. GTK-Doc marks the cells instead. */
const PARAMETERS = new Set(['params', 'retval', 'exception', 'tparams'])
const NAME = new Set(['paramname', 'parameter_name', 'struct_member_name', 'enum_member_name'])
const TYPE = new Set(['paramtype', 'paramdir'])
/** Maximum number of nodes between a table and its first cell. */
const NEAR = 24

/**
 * Returns the rows of a parameter table, which has no head and reads like a list: the name, the type or direction, and
 * the cells that describe it. Null for any other table.
 */
function parameterRows(node: HtmlNode) {
  const firstCell = findInside(node, ({ tag }) => tag === 'td', NEAR)
  if (!hasClass(node, PARAMETERS) && !hasClass(firstCell ?? null, NAME)) return null
  const rows = rowsOf(node).map((row) => {
    const cells = cellsOf(row)
    const named = cells.find((cell) => hasClass(cell, NAME))
    const typed = cells.find((cell) => hasClass(cell, TYPE))
    const about = cells.filter((cell) => cell !== named && cell !== typed)
    return { name: named ? lineOf(named) : '', type: typed ? lineOf(typed) : '', about }
  })
  return rows.length === 0 || rows.some(({ name }) => name === '') ? null : rows
}

/** Returns true if the definition contains such a table. The table then does not become a nested list. */
export function holdsParameters(definition: HtmlNode): boolean {
  return hasClass(findInside(definition, ({ tag }) => tag === 'table', 4) ?? null, PARAMETERS)
}

function listParameters(context: Rendering, rows: NonNullable<ReturnType<typeof parameterRows>>): void {
  const { prefix, out } = context
  prefix.openList(false, 1)
  for (const { name, type, about } of rows) {
    const texts = about.map((cell) => inlineLine(context, cell)).filter((text) => text !== '')
    const kind = type === '' ? '' : ` (${type.replaceAll(/^\[|\]$/g, '')})`
    prefix.openItem()
    out.paragraph([`\`${name}\`${kind}`, ...(texts.length === 0 ? [] : [texts.join(' ')])].join(': '))
  }
  prefix.closeList()
}
