import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'

/** Headings that declare the symbol documented below them, in rustdoc and QDoc. */
const DECLARED = /(?:^|\s)(?:code-header|fqn|fn)(?:\s|$)/
/** A Doxygen declaration: a table with the template parameters and labels. */
const PROTOTYPE = /(?:^|\s)memproto(?:\s|$)/
/** Left cell of a member row in Doxygen and QDoc, or in GTK-Doc. */
const MEMBER_CELL = /(?:^|\s)(?:mem(?:Templ)?(?:ItemLeft|Params)|function_type)(?:\s|$)/
/** Maximum number of nodes between a table and its first cell: table sections and blank text. */
const NEAR = 12

/** Returns true if the heading is code, to be written without links and emphasis. */
export function isDeclaredHeading(node: HtmlNode): boolean {
  return DECLARED.test(attribute(node, 'class'))
}

export function isPrototype(node: HtmlNode): boolean {
  return node.tag === 'div' && PROTOTYPE.test(attribute(node, 'class'))
}

/** Returns the declaration of a prototype on one line, below its template, with its labels in brackets. */
export function prototypeText(tree: HtmlTree, start: number): string {
  const end = tree[start]?.end ?? start
  const templates: string[] = []
  const labels: string[] = []
  const cells: string[] = []
  for (let i = start + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    const text = () => oneLine(textOf(tree, i, node.end))
    const names = attribute(node, 'class')
    if (/\bmemtemplate\b/.test(names)) templates.push(text())
    else if (/\bmlabel\b/.test(names)) labels.push(text())
    else if (node.tag === 'td' && !/\bmlabels-/.test(names)) cells.push(text())
    else continue
    i = node.end - 1
  }
  const declared = tidy(cells.join(' '))
  return [...templates, labels.length === 0 ? declared : `${declared} [${labels.join(', ')}]`].join('\n')
}

/** Joins a signature of several lines into one. */
export function onOneLine(code: string): string {
  return tidy(oneLine(code))
}

/** Removes the spaces that tables and line breaks leave at brackets and commas. */
function tidy(code: string): string {
  return oneLine(code)
    .replaceAll(/ (?=[,)])|(?<=\() /g, '')
    .replace(/(?:(?<=[\w)\]=])|(?<=[^-]>)) \(/, '(')
}

/** Returns true if the table lists one member per row. */
export function isMemberTable(tree: HtmlTree, start: number, table: HtmlNode): boolean {
  for (let i = start + 1; i < Math.min(table.end, start + NEAR); i++) {
    const node = tree[i]
    if (node?.tag === 'td') return MEMBER_CELL.test(attribute(node, 'class'))
  }
  return false
}

/** Returns a member row as code on one line, or null for any other row. */
export function memberRow(tree: HtmlTree, index: number, row: HtmlNode): string | null {
  const cells: string[] = []
  for (let i = index + 1; i < row.end; i++) {
    const node = tree[i]
    if (node?.tag !== 'td') continue
    if (cells.length === 0 && !MEMBER_CELL.test(attribute(node, 'class'))) return null
    cells.push(oneLine(textOf(tree, i, node.end)))
    i = node.end - 1
  }
  return cells.length === 0 ? null : tidy(cells.join(' ').replaceAll('`', ''))
}
