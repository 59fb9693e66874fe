import { attribute, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from './one-line.ts'
import { resolveLink } from './resolve-link.ts'

/** What a page says about itself, in its head and on its root element. */
export type PageFacts = {
  /** `<title>` or its Open Graph twin, as it stands. */
  title: string
  siteName: string
  language: string | null
  canonical: string | null
  noindex: boolean
  nofollow: boolean
  generator: string | null
  /** What relative links are resolved against. */
  base: string
}

/** Reads title, language, canonical address, robots directives, generator and base address in one pass. */
export function readPageFacts(tree: HtmlTree, url: string): PageFacts {
  const meta = new Map<string, string>()
  let title = ''
  let language = ''
  let canonical = ''
  let base = ''
  for (let i = 0; i < tree.length; i++) {
    const node = tree[i]
    if (node === undefined || node.tag === '') continue
    if (node.tag === 'html') language = attribute(node, 'lang') || attribute(node, 'xml:lang')
    else if (node.tag === 'title') title ||= oneLine(textOf(tree, i, node.end))
    else if (node.tag === 'base') base ||= attribute(node, 'href')
    else if (node.tag === 'meta') {
      const name = (
        attribute(node, 'name') ||
        attribute(node, 'property') ||
        attribute(node, 'http-equiv')
      ).toLowerCase()
      const content = attribute(node, 'content')
      if (name !== '' && content !== '' && !meta.has(name)) meta.set(name, content)
    } else if (node.tag === 'link' && /(^|\s)canonical(\s|$)/i.test(attribute(node, 'rel'))) {
      canonical ||= attribute(node, 'href')
    }
  }
  const baseUrl = (base !== '' && resolveLink(base, url)) || url
  const robots = `${meta.get('robots') ?? ''},${meta.get('docent') ?? ''}`.toLowerCase().split(/[\s,]+/)
  return {
    title: title || oneLine(meta.get('og:title') ?? ''),
    siteName: oneLine(meta.get('og:site_name') ?? meta.get('application-name') ?? ''),
    language: languageCode(language || (meta.get('content-language') ?? '')),
    canonical: canonical === '' ? null : resolveLink(canonical, baseUrl),
    noindex: robots.includes('noindex') || robots.includes('none'),
    nofollow: robots.includes('nofollow') || robots.includes('none'),
    generator: meta.get('generator')?.slice(0, 100) ?? null,
    base: baseUrl,
  }
}

/** `en-US` → `en`; null for anything that is not a two-letter code with or without subtags. */
export function languageCode(tag: string): string | null {
  return /^\s*([a-z]{2})(?:[-_][\w-]*)?\s*(?:,|$)/i.exec(tag)?.[1]?.toLowerCase() ?? null
}
