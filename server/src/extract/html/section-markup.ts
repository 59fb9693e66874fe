import { type HtmlNode, type HtmlTree, attribute } from './html-tree.ts'

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
