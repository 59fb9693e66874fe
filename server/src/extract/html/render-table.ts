import type { HtmlNode } from './html-tree.ts'
import { type ParameterRow, parameterRows } from './parameter-table.ts'
import { inlineMarkdown } from './render-inline.ts'
import { type Rendering, flush } from './rendering.ts'
import { type Cell, singleColumn, tableCells, tableShape } from './table-shape.ts'

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
  const used = new Set(rows.flatMap((row) => [...row.keys()].filter((column) => row[column] !== '')))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return used.size === width ? rows : rows.map((row) => row.filter((_, column) => used.has(column)))
}
