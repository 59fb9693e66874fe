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

/** Services that draw a formula from the TeX in the address of an image. */
const DRAWN =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+(?:\.latex|\.image)?\?|math\.vercel\.app\/?\?(?:.*&)?from=|chart\.(?:apis\.google|googleapis)\.com\/chart\?(?:.*&)?chl=|render\.githubusercontent\.com\/render\/math\?(?:.*&)?math=|i\.upmath\.me\/(?:svg|png)\/|latex\.codecogs\.com\/(?:svg|png|gif)\.\w+\/)([^&]+)/

/** The TeX of a formula that is drawn by such a service, between dollar signs, or null for any other image. */
export function drawnMath(source: string): string | null {
  const encoded = DRAWN.exec(source)?.[1]
  if (encoded === undefined) return null
  try {
    const tex = oneLine(decodeURIComponent(encoded.replaceAll('+', '%20'))).replace(
      /^\\(?:inline|large|dpi\{\d+\})\s*/,
      '',
    )
    return tex === '' ? null : `$${tex}$`
  } catch {
    // Not encoded as addresses are: it is no formula then either.
    return null
  }
}

function annotation(tree: HtmlTree, start: number, end: number): string | undefined {
  for (let i = start; i < end; i++) {
    const node = tree[i]
    if (node !== undefined && node.tag === 'annotation' && /tex/i.test(attribute(node, 'encoding')))
      return textOf(tree, i, node.end)
  }
  return undefined
}
