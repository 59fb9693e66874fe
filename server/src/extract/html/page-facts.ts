import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { resolveLink } from '../resolve-link.ts'

/** Metadata of a page from its head and its root element. */
export type PageFacts = {
  /** Raw `<title>` or `og:title`. */
  title: string
  siteName: string
  language: string | null
  canonical: string | null
  noindex: boolean
  nofollow: boolean
  generator: string | null
  /** Base URL for relative links. */
  base: string
}

type Head = { title: string; language: string; canonical: string; base: string; meta: Map<string, string> }

/** Reads title, language, canonical URL, robots directives, generator and base URL in one pass. */
export function readPageFacts(tree: HtmlTree, url: string): PageFacts {
  const { title, language, canonical, base, meta } = readHead(tree)
  const baseUrl = resolveLink(base, url) ?? url
  const robots = `${meta.get('robots') ?? ''},${meta.get('docent') ?? ''}`.toLowerCase().split(/[\s,]+/)
  const given = (name: string) => meta.get(name) ?? ''
  return {
    title: title || oneLine(given('og:title')),
    siteName: oneLine(given('og:site_name') || given('application-name')),
    language: languageCode(language || given('content-language')),
    canonical: resolveLink(canonical, baseUrl),
    noindex: robots.includes('noindex') || robots.includes('none'),
    nofollow: robots.includes('nofollow') || robots.includes('none'),
    generator: meta.get('generator')?.slice(0, 100) ?? null,
    base: baseUrl,
  }
}

function readHead(tree: HtmlTree): Head {
  const head: Head = { title: '', language: '', canonical: '', base: '', meta: new Map() }
  for (let index = 0; index < tree.length; index++) {
    const node = tree[index]
    if (node === undefined) break
    switch (node.tag) {
      case 'html':
        head.language ||= attribute(node, 'lang') || attribute(node, 'xml:lang')
        break
      case 'title':
        head.title ||= oneLine(textOf(tree, index, node.end))
        break
      case 'base':
        head.base ||= attribute(node, 'href')
        break
      case 'link':
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
export function languageCode(tag: string): string | null {
  return /^\s*([a-z]{2})(?:[-_][\w-]*)?\s*(?:,|$)/i.exec(tag)?.[1]?.toLowerCase() ?? null
}
