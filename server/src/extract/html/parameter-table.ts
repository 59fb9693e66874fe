import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { type Cell, tableCells } from './table-shape.ts'

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
