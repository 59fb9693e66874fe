import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'

/** Class names for lists of tab labels in MkDocs Material and VitePress. */
const LABEL_LIST = /(?:^|\s)(?:tabbed-labels|tabs)(?:\s|$)/
/** AsciiDoc writes the tab labels as a list. */
const ITEM_LIST = /(?:^|\s)tablist(?:\s|$)/
/** Sphinx Design puts each label before its panel. */
const LONE_LABEL = /(?:^|\s)sd-tab-label(?:\s|$)/
const PANEL = /(?:^|\s)(?:tabbed-block|tab-?(?:pane|panel))(?:\s|$)/
/** A row of more tabs is a menu. */
const MAX_TABS = 20

/**
 * Assigns tab labels to their panels for the renderer, and drops the rows of labels. Pages show only one panel at a
 * time. Rows without identifiable panels are dropped, too: labels alone carry no information.
 */
export function labelTabs(tree: HtmlTree, start: number, end: number): Map<number, string> {
  const labelled = new Map<number, string>()
  for (let i = start; i < end; i++) {
    const row = tree[i]
    if (row === undefined || row.tag === '') continue
    // Frameworks give rows of tabs the names of navigation.
    if (row.dropped && attribute(row, 'role') !== 'tablist') continue
    if (row.tag === 'label' && LONE_LABEL.test(attribute(row, 'class'))) {
      labelled.set(nextElement(tree, row.end), oneLine(textOf(tree, i + 1, row.end)))
      row.dropped = true
    }
    if (!isLabelRow(tree, i, row)) continue
    const labels = labelsOf(tree, i, row)
    if (labels.length === 0 || labels.length > MAX_TABS) continue
    const panels = panelsOf(tree, row, labels.length)
    row.dropped = true
    if (panels.length === labels.length)
      for (const [tab, panel] of panels.entries()) labelled.set(panel, labels[tab] ?? '')
  }
  return labelled
}

function isLabelRow(tree: HtmlTree, index: number, row: HtmlNode): boolean {
  if (attribute(row, 'role') === 'tablist') return true
  if (row.tag !== 'div') return false
  const names = attribute(row, 'class')
  const label = LABEL_LIST.test(names) ? 'label' : ITEM_LIST.test(names) ? 'li' : null
  if (label === null) return false
  for (let i = index + 1; i < row.end; i++) if (tree[i]?.tag === label) return true
  return false
}

function isLabel(node: HtmlNode | undefined): boolean {
  if (node === undefined || node.tag === '') return false
  if (node.tag === 'label' || attribute(node, 'role') === 'tab') return true
  return node.tag === 'li' && attribute(node, 'class') === 'tab'
}

function nextElement(tree: HtmlTree, from: number): number {
  let index = from
  while (tree[index]?.tag === '') index++
  return index
}

function labelsOf(tree: HtmlTree, index: number, row: HtmlNode): string[] {
  const labels: string[] = []
  for (let i = index + 1; i < row.end; i++) {
    const node = tree[i]
    if (node === undefined || !isLabel(node)) continue
    labels.push(oneLine(textOf(tree, i + 1, node.end)))
    i = node.end - 1
  }
  return labels
}

/** Returns the panels after the row, or after its wrapper if the row has none. */
function panelsOf(tree: HtmlTree, row: HtmlNode, count: number): number[] {
  const panels = panelsAfter(tree, row)
  const wrapper = tree[row.parent]
  if (panels.length > 0 || wrapper === undefined) return panels
  const around = panelsAfter(tree, wrapper)
  return around.length === count ? around : panels
}

/** Returns the panels after an element within the same parent, without those of nested tab groups. */
function panelsAfter(tree: HtmlTree, row: HtmlNode): number[] {
  const panels: number[] = []
  const end = tree[row.parent]?.end ?? row.end
  for (let i = row.end; i < end; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    const names = attribute(node, 'class')
    const inBlocks = /(?:^|\s)blocks(?:\s|$)/.test(attribute(tree[node.parent] ?? node, 'class'))
    if (attribute(node, 'role') !== 'tabpanel' && !PANEL.test(names) && !inBlocks) continue
    panels.push(i)
    i = node.end - 1
  }
  return panels
}
