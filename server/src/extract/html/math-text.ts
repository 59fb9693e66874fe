import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'

/** Attributes with the TeX source in the output of renderers. */
const SOURCES = ['data-math', 'data-latex', 'data-tex', 'data-entry']

/** Returns true if the whole element is a formula. */
export function isMath(node: HtmlNode): boolean {
  return node.tag === 'math' || (node.tag === 'span' && SOURCES.some((name) => node.attribs[name] !== undefined))
}

/** Renders a formula as TeX between dollar signs if the page contains it, otherwise as the text of its symbols. */
export function mathText(tree: HtmlTree, index: number): string {
  const node = tree[index]
  if (node === undefined) return ''
  const given = SOURCES.map((name) => attribute(node, name)).find((text) => text !== '')
  const tex = given ?? annotation(tree, index, node.end) ?? attribute(node, 'alttext')
  if (tex.trim() === '') return oneLine(textOf(tree, index, node.end))
  const mark = attribute(node, 'display') === 'block' ? '$$' : '$'
  return mark + oneLine(tex) + mark
}

/** Services that render a formula from TeX in the image URL. */
const DRAWN =
  /^https?:\/\/(?:latex\.codecogs\.com\/[\w.]+(?:\.latex|\.image)?\?|math\.vercel\.app\/?\?(?:.*&)?from=|chart\.(?:apis\.google|googleapis)\.com\/chart\?(?:.*&)?chl=|render\.githubusercontent\.com\/render\/math\?(?:.*&)?math=|i\.upmath\.me\/(?:svg|png)\/|latex\.codecogs\.com\/(?:svg|png|gif)\.\w+\/)([^&]+)/

/** Returns the TeX of such an image between dollar signs, or null for any other image. */
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
    // Invalid URL encoding, so not a formula either.
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
