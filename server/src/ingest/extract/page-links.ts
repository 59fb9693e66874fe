import type { PageLink } from './extracted-page.ts'
import { attribute, type HtmlTree } from './html-tree.ts'
import { oneLine } from './one-line.ts'
import { resolveLink } from './resolve-link.ts'

/** Index pages of large API references have some 20,000 links; more is a trap. */
const MAX_LINKS = 50_000
const MAX_TEXT = 200

/**
 * All links of a page, each address once: those in dropped parts too, since navigation leads to the other pages.
 * `inContent` is said of links within `[start, end)` that no pass dropped; their text is preferred.
 */
export function collectLinks(tree: HtmlTree, base: string, start: number, end: number): PageLink[] {
  const links = new Map<string, PageLink>()
  let droppedUntil = 0
  for (let i = 0; i < tree.length && links.size < MAX_LINKS; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    if (node.dropped && node.end > droppedUntil) droppedUntil = node.end
    const href = hrefOf(node.tag, node.attribs)
    if (href === undefined || href === '' || href.startsWith('#')) continue
    const url = resolveLink(href.trim(), base)
    if (url === null) continue
    const inContent = i >= start && i < end && i >= droppedUntil
    const known = links.get(url)
    if (known !== undefined && (known.inContent || !inContent)) continue
    const text = linkText(tree, i, node.end) || oneLine(attribute(node, 'aria-label') || attribute(node, 'title'))
    if (known === undefined) links.set(url, { url, text: text.slice(0, MAX_TEXT), inContent })
    else Object.assign(known, { inContent, text: text.slice(0, MAX_TEXT) || known.text })
  }
  return [...links.values()]
}

function hrefOf(tag: string, attribs: Record<string, string>): string | undefined {
  if (tag === 'a' || tag === 'area') return attribs['href']
  if (tag === 'frame') return attribs['src']
  if (tag === 'link') return /\b(next|prev)\b/.test(attribs['rel'] ?? '') ? attribs['href'] : undefined
  return undefined
}

/** Unlike `textOf`, navigation that was dropped still gives its text. */
function linkText(tree: HtmlTree, start: number, end: number): string {
  let text = ''
  for (let i = start; i < end && text.length < 4 * MAX_TEXT; i++) text += tree[i]?.text ?? ''
  return oneLine(text)
}
