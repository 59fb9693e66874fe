import { elementAt } from '#lib/element-at.ts'
import type { HtmlTree } from './html-tree.ts'

/** Text length of each subtree, in total and inside links. Indices match the tree. */
export type TextWeight = { all: Float64Array; linked: Float64Array }

/** Counts visible characters bottom-up. Dropped subtrees count as empty. */
export function weighText(tree: HtmlTree): TextWeight {
  const all = new Float64Array(tree.length)
  const linked = new Float64Array(tree.length)
  for (let i = tree.length - 1; i >= 0; i--) {
    const node = tree[i]
    if (node === undefined) continue
    if (node.dropped) {
      all[i] = 0
      linked[i] = 0
      continue
    }
    if (node.tag === '') all[i] = visibleLength(node.text)
    if (node.tag === 'a' && node.attribs['href'] !== undefined) linked[i] = elementAt(all, i)
    if (node.parent >= 0) {
      all[node.parent] = elementAt(all, node.parent) + elementAt(all, i)
      linked[node.parent] = elementAt(linked, node.parent) + elementAt(linked, i)
    }
  }
  return { all, linked }
}

/** Length without surrounding white space: indentation between tags is not text. */
function visibleLength(text: string): number {
  return text.length < 2 ? (text.trim() === '' ? 0 : text.length) : text.trim().length
}
