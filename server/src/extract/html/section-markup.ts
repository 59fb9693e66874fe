import { oneLine } from '#lib/text/one-line.ts'
import { attribute, findInside, hasClass, type HtmlNode, lineOf, outermostInside } from './html-tree.ts'

/** Sphinx domains, as the class of a definition list. */
const DOMAIN = new Set(['py', 'c', 'cpp', 'js', 'std', 'rst', 'go', 'php', 'rb', 'java'])

/** Returns true if the list documents symbols and its signatures are headings. */
export function isSignatureList(list: HtmlNode | null): boolean {
  return list?.tag === 'dl' && hasClass(list, DOMAIN)
}

/** Counts the lists around the list of a signature: a method belongs to a class. */
export function enclosingSignatures({ parent }: HtmlNode): number {
  let count = 0
  for (let node = parent?.parent ?? null; node !== null; node = node.parent) if (isSignatureList(node)) count++
  return count
}

/** Titles of callouts. They are not headings but name the text below them. */
const CALLOUT_TITLE =
  /(?:^|\s)(?:admonition|custom-block|callout|alert|markdown-alert|starlight-aside_|note)[-_]?(?:title|heading)/i
/** Titles of steps and folded parts, by a theme's component names. */
const PART_TITLE = /^(?:step|accordion)-title$/

/** Returns true if the element is the title of its callout, step or folded part. */
export function isTitle(node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  if (CALLOUT_TITLE.test(names) || PART_TITLE.test(attribute(node, 'data-component-part'))) return true
  // AsciiDoc writes the type of a callout into its icon cell.
  return names === 'title' && node.parent?.attribs['class'] === 'icon'
}

/** Classes of boxes inside a section, such as `<div class="note"><h3>` in the manual of Apache. */
const BOX = new Set(['note', 'tip', 'hint', 'warning', 'caution', 'danger', 'important', 'admonition'])

/**
 * Returns true if the heading is a callout title, as in DocBook. The text after the callout belongs to the section
 * around it, so a heading would take it. A heading with an id is a section.
 */
export function isCalloutHeading(heading: HtmlNode): boolean {
  const { tag, parent, attribs } = heading
  if (!hasClass(parent, BOX)) return false
  return attribs['class'] === 'title' || (tag !== 'h1' && tag !== 'h2' && !attribs['id'] && parent?.tag !== 'section')
}

/** Left cell of a member row in Doxygen and QDoc, or in GTK-Doc. */
const MEMBER_CELL = new Set(['memItemLeft', 'memTemplItemLeft', 'memParams', 'memTemplParams', 'function_type'])
/** Maximum number of nodes between a table and its first cell: table sections and blank text. */
const NEAR = 12

/** Returns true for a Doxygen declaration: a table with the template parameters and labels. */
export function isPrototype({ tag, classes }: HtmlNode): boolean {
  return tag === 'div' && classes.has('memproto')
}

/** Returns the declaration of a prototype on one line, below its template, with its labels in brackets. */
export function prototypeText(prototype: HtmlNode): string {
  const parts = Map.groupBy(
    outermostInside(prototype, (node) => prototypePart(node) !== null),
    prototypePart,
  )
  const textsOf = (part: string) => parts.get(part)?.map((node) => lineOf(node)) ?? []
  const labels = textsOf('label').join(', ')
  const declared = onOneLine(textsOf('cell').join(' '))
  return [...textsOf('template'), labels === '' ? declared : `${declared} [${labels}]`].join('\n')
}

function prototypePart({ tag, classes }: HtmlNode): string | null {
  if (classes.has('memtemplate')) return 'template'
  if (classes.has('mlabel')) return 'label'
  return tag === 'td' && !classes.has('mlabels-left') && !classes.has('mlabels-right') ? 'cell' : null
}

/** Joins a signature into one line, without the spaces that tables and line breaks leave at brackets and commas. */
export function onOneLine(code: string): string {
  return oneLine(code)
    .replaceAll(/ (?=[,)])|(?<=\() /g, '')
    .replace(/(?:(?<=[\w)\]=])|(?<=[^-]>)) \(/, '(')
}

/** Returns true if the table lists one member per row. */
export function isMemberTable(table: HtmlNode): boolean {
  return hasClass(findInside(table, ({ tag }) => tag === 'td', NEAR) ?? null, MEMBER_CELL)
}

/** Returns a member row as code on one line, or null for any other row. */
export function memberRow(row: HtmlNode): string | null {
  const cells = outermostInside(row, ({ tag }) => tag === 'td')
  if (!hasClass(cells[0] ?? null, MEMBER_CELL)) return null
  return onOneLine(cells.map((cell) => (cell.dropped ? '' : lineOf(cell))).join(' ')).replaceAll('`', '')
}
