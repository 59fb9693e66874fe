import type { HtmlNode, OpenElements } from './html-tree.ts'
import { type ParameterRow, parameterRows, type Cell, singleColumn, tableCells, tableShape } from './table-shape.ts'
import { inlineMarkdown, type InlineInput } from './render-inline.ts'
import type { AnchorPlaces } from './anchors.ts'
import type { InlineText, LinePrefix, MarkdownWriter } from './markdown-writer.ts'
import type { NamedDefinitions, QuestionLists } from './named-definitions.ts'
import { isNoiseLine } from './generator-noise.ts'

/** State of one pass over a tree. */
export type Rendering = RenderInput & {
  prefix: LinePrefix
  out: MarkdownWriter
  inline: InlineText
  open: OpenElements
  /** Lists used for layout. Their items have neither marker nor indent. */
  layoutLists: Set<number>
  /** Rows of single-column tables, rendered as list items. The value is true for the first row. */
  itemRows: Map<number, boolean>
  /** End index of the current term. A term may consist of symbols alone. */
  termEnd: number
  isNamed: NamedDefinitions
  placeOf: AnchorPlaces
  /** Whether paragraphs in a parent are a list of questions, each a heading. */
  isQuestionList: QuestionLists
  /** 1 below a bold paragraph that is a heading, else 0. Definitions there belong to that heading. */
  bold: 0 | 1
  /** End index of the block with the table that repeats its name. */
  namedEnd: number
}

/** Writes a callout mark with its meaning, or a term with its definition. AsciiDoc draws both as two cells of a row. */
export function pair(context: Rendering, index: number, node: HtmlNode): number {
  const [first = '', ...rest] = tableCells(context.tree, index, node).map(({ start, end }) =>
    inlineMarkdown(context, start, end).replaceAll(/\s+/g, ' '),
  )
  const number = /^\*\*(\d+)\*\*$/.exec(first)?.[1]
  context.out.paragraph(`${number === undefined ? `**${first}**` : `${number}.`} ${rest.join(' ')}`)
  return node.end
}

function listParameters(context: Rendering, rows: readonly ParameterRow[]): void {
  const { prefix, out } = context
  prefix.openList(false, 1)
  for (const { name, type, about } of rows) {
    const text = about
      .map(({ start, end }) => inlineMarkdown(context, start, end).replaceAll(/\s+/g, ' '))
      .filter((part) => part !== '')
      .join(' ')
    prefix.openItem()
    out.paragraph(
      `\`${name}\`${type === '' ? '' : ` (${type.replaceAll(/^\[|\]$/g, '')})`}${text === '' ? '' : `: ${text}`}`,
    )
    prefix.closeItem()
  }
  prefix.closeList()
}

/** Writes a data table. Opens a layout table like any container. */
export function table(context: Rendering, index: number, node: HtmlNode): number {
  const parameters = parameterRows(context.tree, index, node)
  if (parameters !== null) {
    listParameters(context, parameters)
    return node.end
  }
  const shape = tableShape(context.tree, index)
  if (shape === null) {
    const rows = singleColumn(context.tree, index)
    for (const [at, row] of rows.entries()) context.itemRows.set(row, at === 0)
    context.open.push(node.end, () => {
      flush(context)
      if (rows.length > 0) context.prefix.closeList()
    })
    return index + 1
  }
  const text = ({ start, end }: Cell) => inlineMarkdown(context, start, end).replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
  const caption = shape.caption === null ? '' : text(shape.caption)
  if (caption !== '') context.out.paragraph(caption)
  const rows = withoutEmptyColumns(
    shape.rows.map((row) => row.map(text)).filter((row) => row.some((cell) => cell !== '')),
  )
  if (rows.length > 0) context.out.table(rows)
  return node.end
}

/** Columns without any text are margins, as in tables by groff. */
function withoutEmptyColumns(rows: string[][]): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const [head = []] = rows
  if (head.length === width && !head.includes('')) return rows
  const used = new Set(rows.flatMap((row) => [...row.keys()].filter((column) => row[column] !== '')))
  return used.size === width ? rows : rows.map((row) => row.filter((_, column) => used.has(column)))
}

export type RenderInput = InlineInput & {
  /** Tab labels by the index of the element below them. */
  labels: Map<number, string>
}

/** A paragraph of symbols alone is an icon or an ornament. */
const HAS_TEXT = /[\p{L}\p{N}]/u

/** Writes the paragraph collected so far. */
export function flush(context: Rendering): void {
  const text = context.inline.take()
  const isTerm = context.termEnd > 0 && text !== ''
  context.termEnd = 0
  if (isTerm || (HAS_TEXT.test(text) && !isNoiseLine(text))) context.out.paragraph(escapeStart(text))
}

/** Escapes prose that reads like a heading or a fence. Other syntax in prose is harmless. */
export function escapeStart(text: string): string {
  return /^(?:#{1,6}\s|```|~~~)/m.test(text) ? text.replace(/^(?=#{1,6}\s|```|~~~)/gm, '\\') : text
}
