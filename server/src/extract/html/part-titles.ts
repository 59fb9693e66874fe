import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'

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

/** Returns true if the heading is a callout title, as in DocBook. */
export function isCalloutHeading(tree: HtmlTree, node: HtmlNode): boolean {
  return attribute(node, 'class') === 'title' && CALLOUT.test(classOfParent(tree, node))
}

function classOfParent(tree: HtmlTree, node: HtmlNode): string {
  const parent = tree[node.parent]
  return parent === undefined ? '' : attribute(parent, 'class')
}
