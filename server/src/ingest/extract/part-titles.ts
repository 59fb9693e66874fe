import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'

/** Titles of callouts, which are not headings and yet name what is below them. */
const CALLOUT_TITLE =
  /(?:^|\s)(?:admonition|custom-block|callout|alert|markdown-alert|starlight-aside_|note)[-_]?(?:title|heading)/i

/** Titles of steps and folded parts, by the name that a theme gives its components. */
const PART_TITLE = /^(?:step|accordion)-title$/

/** Callouts of DocBook. */
const CALLOUT = /^(?:note|tip|warning|caution|important)$/

/** Whether an element names the callout, the step or the folded part that it begins. */
export function isTitle(tree: HtmlTree, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  if (CALLOUT_TITLE.test(names) || PART_TITLE.test(attribute(node, 'data-component-part'))) return true
  // AsciiDoc writes the kind of a callout into the cell of its icon.
  return names === 'title' && classOfParent(tree, node) === 'icon'
}

/** Whether a heading is the title of a callout, as DocBook writes it. */
export function isCalloutHeading(tree: HtmlTree, node: HtmlNode): boolean {
  return attribute(node, 'class') === 'title' && CALLOUT.test(classOfParent(tree, node))
}

function classOfParent(tree: HtmlTree, node: HtmlNode): string {
  const parent = tree[node.parent]
  return parent === undefined ? '' : attribute(parent, 'class')
}
