import { elementAt } from '#lib/arrays.ts'
import { attribute, findInside, hasClass, type HtmlNode, lineOf, outermostInside } from './html-tree.ts'

/** Class names for lists of tab labels in MkDocs Material and VitePress. */
const LABEL_LIST = new Set(['tabbed-labels', 'tabs'])
const PANEL = new Set(['tabbed-block', 'tabpane', 'tabpanel', 'tab-pane', 'tab-panel'])
/** A row of more tabs is a menu. */
const MAX_TABS = 20

/**
 * Assigns tab labels to their panels for the renderer, and drops the rows of labels. Pages show only one panel at a
 * time. Rows without identifiable panels are dropped, too: labels alone carry no information.
 */
export function labelTabs({ tree, index, end }: HtmlNode): Map<HtmlNode, string> {
  const labelled = new Map<HtmlNode, string>()
  for (let i = index; i < end; i++) {
    const row = elementAt(tree, i)
    // Frameworks give rows of tabs the names of navigation.
    if (row.tag === '' || (row.dropped && attribute(row, 'role') !== 'tablist')) continue
    // Sphinx Design puts each label before its panel.
    if (row.tag === 'label' && row.classes.has('sd-tab-label')) {
      let panel = tree[row.end]
      while (panel?.tag === '') panel = tree[panel.end]
      if (panel) labelled.set(panel, lineOf(row))
      row.dropped = true
    }
    if (!isLabelRow(row)) continue
    const labels = outermostInside(row, isLabel)
    if (labels.length === 0 || labels.length > MAX_TABS) continue
    const panels = [row, row.parent].map(panelsAfter).find(({ length }) => length === labels.length) ?? []
    for (const [tab, panel] of panels.entries()) labelled.set(panel, lineOf(elementAt(labels, tab)))
    row.dropped = true
  }
  return labelled
}

function isLabelRow(row: HtmlNode): boolean {
  if (attribute(row, 'role') === 'tablist') return true
  if (row.tag !== 'div') return false
  // AsciiDoc writes the tab labels as a list.
  const label = hasClass(row, LABEL_LIST) ? 'label' : row.classes.has('tablist') ? 'li' : null
  return label !== null && findInside(row, ({ tag }) => tag === label) !== undefined
}

function isLabel({ tag, attribs }: HtmlNode): boolean {
  return tag === 'label' || attribs['role'] === 'tab' || (tag === 'li' && attribs['class'] === 'tab')
}

/** Returns the panels after an element within the same parent, without those of nested tab groups. */
function panelsAfter(element: HtmlNode | null): HtmlNode[] {
  if (!element?.parent) return []
  return outermostInside(element.parent, (node) => {
    if (node.index < element.end || node.tag === '') return false
    return node.attribs['role'] === 'tabpanel' || hasClass(node, PANEL) || node.parent?.classes.has('blocks') === true
  })
}
