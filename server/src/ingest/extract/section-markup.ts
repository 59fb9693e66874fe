import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'

/** Domains of Sphinx, as the class of the list that defines something in them. */
const DOMAIN = /(?:^|\s)(?:py|c|cpp|js|std|rst|go|php|rb|java)(?:\s|$)/

/** Whether a term is the signature of a documented thing, as Sphinx writes it, and not of a glossary. */
export function isSignature(node: HtmlNode): boolean {
  return /(?:^|\s)sig(?:\s|$)/.test(attribute(node, 'class'))
}

/** Whether the definition at `index` belongs to a signature. */
export function followsSignature(tree: HtmlTree, index: number): boolean {
  const list = tree[tree[index]?.parent ?? -1]
  return list !== undefined && DOMAIN.test(attribute(list, 'class'))
}

/** Whether a list defines documented things, whose signatures are headings. */
export function isSignatureList(list: HtmlNode): boolean {
  return list.tag === 'dl' && DOMAIN.test(attribute(list, 'class'))
}

/** How many documented things the one at `index` is part of: a method is in a class. */
export function enclosingSignatures(tree: HtmlTree, index: number): number {
  let count = -1
  for (let at = index; at >= 0; at = tree[at]?.parent ?? -1) {
    const node = tree[at]
    if (node?.tag === 'dl' && DOMAIN.test(attribute(node, 'class'))) count++
  }
  return Math.max(0, count)
}

/** Whether a list holds whole sections, so that it is layout and no list. */
export function holdsHeading(tree: HtmlTree, index: number, list: HtmlNode): boolean {
  for (let i = index + 1; i < list.end; i++) {
    const node = tree[i]
    if (node !== undefined && !node.dropped && /^h[1-4]$/.test(node.tag)) return true
  }
  return false
}
