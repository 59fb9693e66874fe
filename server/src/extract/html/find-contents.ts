import { elementAt } from '#lib/element-at.ts'
import { createAnchorPlaces } from './anchors.ts'
import type { HtmlNode, HtmlTree } from './html-tree.ts'
import type { TextWeight } from './text-weight.ts'

const LISTS = new Set(['ul', 'ol', 'dl', 'div', 'section'])
/** Minimum share of linked text, and minimum share of links within the page. */
const MIN_SHARE = 0.7
const LEAST_LINKS = 3
/** Upper bound for visited nodes: boxes can be nested very deeply, and a few thousand nodes suffice. */
const MOST_NODES = 5_000

/**
 * Finds unnamed tables of contents: lists at the top of a page that consist mostly of links to later places on it, in
 * order. A list below the second heading is part of the text.
 */
export function createContentsFinder(tree: HtmlTree, weight: TextWeight): (index: number, node: HtmlNode) => boolean {
  const placeOf = createAnchorPlaces(tree)
  return (index, node) => {
    const all = elementAt(weight.all, index)
    if (!LISTS.has(node.tag) || all === 0 || elementAt(weight.linked, index) < MIN_SHARE * all) return false
    let links = 0
    let inOrder = 0
    let before = node.end - 1
    for (let i = index + 1; i < Math.min(node.end, index + MOST_NODES); i++) {
      const href = tree[i]?.tag === 'a' ? (tree[i]?.attribs['href'] ?? '') : ''
      if (href === '') continue
      links++
      if (!href.startsWith('#')) continue
      const place = placeOf(href.slice(1)) ?? -1
      if (place < before) continue
      inOrder++
      before = place
    }
    return inOrder >= LEAST_LINKS && inOrder >= MIN_SHARE * links
  }
}
