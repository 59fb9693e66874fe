import { oneLine } from '#lib/text/one-line.ts'
import { type HtmlNode, type HtmlTree, attribute, textOf } from './html-tree.ts'

/** Sphinx domains, as the class of a definition list. */
const DOMAIN = /(?:^|\s)(?:py|c|cpp|js|std|rst|go|php|rb|java)(?:\s|$)/

/** Returns true if the term is a Sphinx signature and not a glossary entry. */
export function isSignature(node: HtmlNode): boolean {
  return /(?:^|\s)sig(?:\s|$)/.test(attribute(node, 'class'))
}

/** Returns true if the definition at `index` belongs to a signature. */
export function followsSignature(tree: HtmlTree, index: number): boolean {
  const list = tree[tree[index]?.parent ?? -1]
  return list !== undefined && DOMAIN.test(attribute(list, 'class'))
}

/** Returns true if the list documents symbols and its signatures are headings. */
export function isSignatureList(list: HtmlNode): boolean {
  return list.tag === 'dl' && DOMAIN.test(attribute(list, 'class'))
}

/** Counts the enclosing symbols of the one at `index`: a method belongs to a class. */
export function enclosingSignatures(tree: HtmlTree, index: number): number {
  let count = -1
  for (let at = index; at >= 0; at = tree[at]?.parent ?? -1) {
    const node = tree[at]
    if (node?.tag === 'dl' && DOMAIN.test(attribute(node, 'class'))) count++
  }
  return Math.max(0, count)
}

/** Returns true if the list contains whole sections and is only layout. */
export function holdsHeading(tree: HtmlTree, index: number, list: HtmlNode): boolean {
  for (let i = index + 1; i < list.end; i++) {
    const node = tree[i]
    if (node !== undefined && !node.dropped && /^h[1-4]$/.test(node.tag)) return true
  }
  return false
}

/** Titles of callouts. They are not headings but name the text below them. */
const CALLOUT_TITLE =
  /(?:^|\s)(?:admonition|custom-block|callout|alert|markdown-alert|starlight-aside_|note)[-_]?(?:title|heading)/i

/** Titles of steps and folded parts, by a theme's component names. */
const PART_TITLE = /^(?:step|accordion)-title$/

/** DocBook's callouts. */
const CALLOUT = /^(?:note|tip|warning|caution|important)$/

/** Returns true if the element is the title of its callout, step or folded part. */
export function isTitle(tree: HtmlTree, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  if (CALLOUT_TITLE.test(names) || PART_TITLE.test(attribute(node, 'data-component-part'))) return true
  // AsciiDoc writes the type of a callout into its icon cell.
  return names === 'title' && classOfParent(tree, node) === 'icon'
}

/** Classes of boxes inside a section, such as `<div class="note"><h3>` in the manual of Apache. */
const BOX = /(?:^|\s)(?:note|tip|hint|warning|caution|danger|important|admonition)(?:\s|$)/

/**
 * Returns true if the heading is a callout title, as in DocBook. The text after the callout belongs to the section
 * around it, so a heading would take it. A heading with an id is a section.
 */
export function isCalloutHeading(tree: HtmlTree, node: HtmlNode): boolean {
  const names = classOfParent(tree, node)
  if (attribute(node, 'class') === 'title' && CALLOUT.test(names)) return true
  const isLow = node.tag !== 'h1' && node.tag !== 'h2'
  return isLow && attribute(node, 'id') === '' && tree[node.parent]?.tag !== 'section' && BOX.test(names)
}

function classOfParent(tree: HtmlTree, node: HtmlNode): string {
  const parent = tree[node.parent]
  return parent === undefined ? '' : attribute(parent, 'class')
}

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
