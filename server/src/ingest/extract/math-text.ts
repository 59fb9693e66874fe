import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from './one-line.ts'

/** Attributes in which renderers keep the TeX they were given. */
const SOURCES = ['data-math', 'data-latex', 'data-tex', 'data-entry']

/** Whether an element is a formula as a whole. */
export function isMath(node: HtmlNode): boolean {
  return node.tag === 'math' || (node.tag === 'span' && SOURCES.some((name) => node.attribs[name] !== undefined))
}

/** A formula as its TeX between dollar signs where the page still has it, else as the text of its symbols. */
export function mathText(tree: HtmlTree, index: number): string {
  const node = tree[index]
  if (node === undefined) return ''
  const given = SOURCES.map((name) => attribute(node, name)).find((text) => text !== '')
  const tex = given ?? annotation(tree, index, node.end) ?? attribute(node, 'alttext')
  if (tex.trim() === '') return oneLine(textOf(tree, index, node.end))
  const mark = attribute(node, 'display') === 'block' ? '$$' : '$'
  return mark + oneLine(tex) + mark
}

function annotation(tree: HtmlTree, start: number, end: number): string | undefined {
  for (let i = start; i < end; i++) {
    const node = tree[i]
    if (node !== undefined && node.tag === 'annotation' && /tex/i.test(attribute(node, 'encoding')))
      return textOf(tree, i, node.end)
  }
  return undefined
}
