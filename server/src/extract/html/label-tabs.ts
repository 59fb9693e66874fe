import { elementAt } from '#lib/element-at.ts'
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
    const panels = panelsOf(row, labels.length)
    row.dropped = true
    if (panels.length === labels.length)
      for (const [tab, panel] of panels.entries()) labelled.set(panel, lineOf(elementAt(labels, tab)))
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

/** Returns the panels after the row, or after its wrapper if the row has none. */
function panelsOf(row: HtmlNode, count: number): HtmlNode[] {
  const panels = panelsAfter(row)
  if (panels.length > 0 || row.parent === null) return panels
  const around = panelsAfter(row.parent)
  return around.length === count ? around : panels
}

/** Returns the panels after an element within the same parent, without those of nested tab groups. */
function panelsAfter({ parent, end }: HtmlNode): HtmlNode[] {
  if (parent === null) return []
  return outermostInside(parent, (node) => {
    if (node.index < end || node.tag === '') return false
    return (
      attribute(node, 'role') === 'tabpanel' || hasClass(node, PANEL) || node.parent?.classes.has('blocks') === true
    )
  })
}
