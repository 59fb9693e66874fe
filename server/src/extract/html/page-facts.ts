import { elementAt } from '#lib/arrays.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { attribute, type HtmlNode, type HtmlTree, lineOf } from './html-tree.ts'
import { resolveLink, type LinkResolver } from '../resolve-link.ts'
import type { ExtractedPage, PageLink } from '../extracted-page.ts'

type Facts = Pick<ExtractedPage, 'title' | 'language' | 'canonical' | 'noindex' | 'nofollow' | 'generator'>
/** Metadata of a page from its head and its root element. `title` is the raw `<title>` or `og:title`. */
export type PageFacts = Facts & { siteName: string; base: string; feeds: string[] }

/** Reads title, language, canonical URL, robots directives, generator and base URL in one pass. */
export function readPageFacts(tree: HtmlTree, url: string): PageFacts {
  const { title, language, canonical, base, feeds, meta } = readHead(tree)
  const baseUrl = resolveLink(base, url) ?? url
  const given = (name: string) => meta.get(name) ?? ''
  const robots = `${given('robots')},${given('docent')}`.toLowerCase().split(/[\s,]+/)
  return {
    title: title || oneLine(given('og:title')),
    siteName: oneLine(given('og:site_name') || given('application-name')),
    language: languageCode(language || given('content-language')),
    canonical: resolveLink(canonical, baseUrl),
    noindex: robots.includes('noindex') || robots.includes('none'),
    nofollow: robots.includes('nofollow') || robots.includes('none'),
    generator: meta.get('generator')?.slice(0, 100) ?? null,
    base: baseUrl,
    feeds: feeds.flatMap((href) => resolveLink(href, baseUrl) ?? []),
  }
}

/** Sites have one, or one for each of a few sections. */
const MAX_FEEDS = 5

function readHead(tree: HtmlTree) {
  const head = {
    title: '',
    language: '',
    canonical: '',
    base: '',
    feeds: [] as string[],
    meta: new Map<string, string>(),
  }
  for (const node of tree) {
    switch (node.tag) {
      case 'html':
        head.language ||= attribute(node, 'lang') || attribute(node, 'xml:lang')
        break
      case 'title':
        head.title ||= lineOf(node)
        break
      case 'base':
        head.base ||= attribute(node, 'href')
        break
      case 'link':
        if (/^application\/(?:rss|atom)\+xml$/i.test(attribute(node, 'type')) && head.feeds.length < MAX_FEEDS)
          head.feeds.push(attribute(node, 'href'))
        if (/(^|\s)canonical(\s|$)/i.test(attribute(node, 'rel'))) head.canonical ||= attribute(node, 'href')
        break
      case 'meta':
        addMeta(head.meta, node)
        break
    }
  }
  return head
}

function addMeta(meta: Map<string, string>, node: HtmlNode): void {
  const name = attribute(node, 'name') || attribute(node, 'property') || attribute(node, 'http-equiv')
  const content = attribute(node, 'content')
  const key = name.toLowerCase()
  if (key !== '' && content !== '' && !meta.has(key)) meta.set(key, content)
}

/** Converts `en-US` to `en`. Returns null for anything except a two-letter code with or without subtags. */
function languageCode(tag: string): string | null {
  return /^\s*([a-z]{2})(?:[-_][\w-]*)?\s*(?:,|$)/i.exec(tag)?.[1]?.toLowerCase() ?? null
}

/** Upper bound for links. Index pages of large API references have about 10,000; many more indicate a crawler trap. */
const MAX_LINKS = 20_000
/** Total length of all URLs, in characters: 20,000 of 200 each. A long base URL lengthens every relative link. */
const MAX_CHARACTERS = 4_000_000
const MAX_TEXT = 200

/**
 * Collects all links of a page, each URL once. Includes dropped parts, because navigation leads to the other pages.
 * `inContent` is true for links within the region that no pass dropped; their text has priority.
 */
export function collectLinks(resolve: LinkResolver, region: HtmlNode): PageLink[] {
  const links = new Map<string, PageLink>()
  let droppedUntil = 0
  let characters = 0
  for (const node of region.tree) {
    if (links.size >= MAX_LINKS || characters >= MAX_CHARACTERS) break
    if (node.dropped && node.end > droppedUntil) droppedUntil = node.end
    const href = hrefOf(node)?.trim()
    const url = href ? resolve(href) : null
    if (url === null) continue
    const { index } = node
    const inContent = index >= region.index && index < region.end && index >= droppedUntil
    const known = links.get(url)
    if (known === undefined) {
      characters += url.length
      links.set(url, { url, text: linkText(node), inContent })
    } else if (inContent && !known.inContent) {
      known.inContent = true
      known.text = linkText(node) || known.text
    }
  }
  return [...links.values()]
}

function hrefOf({ tag, attribs }: HtmlNode): string | undefined {
  if (tag === 'a' || tag === 'area') return attribs['href']
  if (tag === 'frame') return attribs['src']
  if (tag === 'link') return /\b(next|prev)\b/.test(attribs['rel'] ?? '') ? attribs['href'] : undefined
  return undefined
}

/** Unlike `textOf`, includes the text of dropped navigation. */
function linkText(link: HtmlNode): string {
  let text = ''
  for (let i = link.index; i < link.end && text.length < 4 * MAX_TEXT; i++) text += elementAt(link.tree, i).text
  const line = oneLine(text) || oneLine(attribute(link, 'aria-label') || attribute(link, 'title'))
  return line.slice(0, MAX_TEXT)
}
