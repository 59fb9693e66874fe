import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from './one-line.ts'

/** Headings that are the declaration of what stands below them: rustdoc's, QDoc's. */
const DECLARED = /(?:^|\s)(?:code-header|fqn|fn)(?:\s|$)/
/** A declaration of Doxygen, laid out as a table, with what it is a template of and its labels. */
const PROTOTYPE = /(?:^|\s)memproto(?:\s|$)/
/** The left cell of a row that lists a member: Doxygen's and QDoc's, GTK-Doc's. */
const MEMBER_CELL = /(?:^|\s)(?:mem(?:Templ)?(?:ItemLeft|Params)|function_type)(?:\s|$)/
/** Between a table and its first cell stand at most its parts and blanks. */
const NEAR = 12

/** Whether a heading is code: its text is written as it stands, without links and emphasis. */
export function isDeclaredHeading(node: HtmlNode): boolean {
  return DECLARED.test(attribute(node, 'class'))
}

export function isPrototype(node: HtmlNode): boolean {
  return node.tag === 'div' && PROTOTYPE.test(attribute(node, 'class'))
}

/** The declaration in a prototype: on one line, below its template, with its labels in brackets. */
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

/** A signature that is broken over lines, as one. */
export function onOneLine(code: string): string {
  return tidy(oneLine(code))
}

/** Without the blanks that tables and lines leave at brackets and commas. */
function tidy(code: string): string {
  return oneLine(code)
    .replaceAll(/ (?=[,)])|(?<=\() /g, '')
    .replace(/(?:(?<=[\w)\]=])|(?<=[^-]>)) \(/, '(')
}

/** Whether a table lists members, one a row. */
export function isMemberTable(tree: HtmlTree, start: number, table: HtmlNode): boolean {
  for (let i = start + 1; i < Math.min(table.end, start + NEAR); i++) {
    const node = tree[i]
    if (node?.tag === 'td') return MEMBER_CELL.test(attribute(node, 'class'))
  }
  return false
}

/** A row that lists a member, as code on one line; null for any other row. */
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
