import type { PageLink } from '../extracted-page.ts'
import { attribute, type HtmlNode, type HtmlTree } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'
import type { LinkResolver } from '../resolve-link.ts'

/** Upper bound for links. Index pages of large API references have about 10,000; many more indicate a crawler trap. */
const MAX_LINKS = 20_000
/** Total length of all URLs, in characters: 20,000 of 200 each. A long base URL lengthens every relative link. */
const MAX_CHARACTERS = 4_000_000
const MAX_TEXT = 200

/**
 * Collects all links of a page, each URL once. Includes dropped parts, because navigation leads to the other pages.
 * `inContent` is true for links within `[start, end)` that no pass dropped; their text has priority.
 */
export function collectLinks(tree: HtmlTree, resolve: LinkResolver, start: number, end: number): PageLink[] {
  const links = new Map<string, PageLink>()
  let droppedUntil = 0
  let characters = 0
  // Avoid `entries()`: its pairs are a tenth of all allocations for a page.
  for (let index = 0; index < tree.length && links.size < MAX_LINKS && characters < MAX_CHARACTERS; index++) {
    const node = tree[index]
    if (node === undefined) break
    if (node.dropped && node.end > droppedUntil) droppedUntil = node.end
    const url = target(node, resolve)
    if (url === null) continue
    const inContent = index >= start && index < end && index >= droppedUntil
    const known = links.get(url)
    if (known === undefined) {
      characters += url.length
      links.set(url, { url, text: linkText(tree, index, node), inContent })
    } else if (inContent && !known.inContent) {
      known.inContent = true
      known.text = linkText(tree, index, node) || known.text
    }
  }
  return [...links.values()]
}

function target(node: HtmlNode, resolve: LinkResolver): string | null {
  const href = hrefOf(node)
  return href === undefined || href === '' ? null : resolve(href.trim())
}

function hrefOf({ tag, attribs }: HtmlNode): string | undefined {
  if (tag === 'a' || tag === 'area') return attribs['href']
  if (tag === 'frame') return attribs['src']
  if (tag === 'link') return /\b(next|prev)\b/.test(attribs['rel'] ?? '') ? attribs['href'] : undefined
  return undefined
}

/** Unlike `textOf`, includes the text of dropped navigation. */
function linkText(tree: HtmlTree, start: number, link: HtmlNode): string {
  let text = ''
  for (let i = start; i < link.end && text.length < 4 * MAX_TEXT; i++) text += tree[i]?.text ?? ''
  const line = oneLine(text) || oneLine(attribute(link, 'aria-label') || attribute(link, 'title'))
  return line.slice(0, MAX_TEXT)
}
