import { headingText } from '#lib/text/replace-links.ts'
import { outsideFences } from './llms-txt.ts'

/** A page of an llms-full.txt. */
export type LlmsPage = {
  /** Absolute http(s) URL. */
  url: string
  title: string | null
  markdown: string
}

/** The source URL of the surrounding text. `style` identifies its notation. */
type Origin = { style: string; url: URL; title: string | null }

/** `at` is the start of the page's part of the file and the end of the previous page, `from` that of its Markdown. */
type Start = Origin & { at: number; from: number }

/** `Source: https://…`, `**URL:** <https://…>`, `source_url: "https://…"`. */
const LABELLED =
  /^\s*(?:[>*-]\s+)?[*_]{0,2}(source(?:[_ ]url)?|url|link|page|permalink|canonical(?:[_ ]url)?|original|html)[*_]{0,2}\s*:\s*(?:[*_]{1,2}\s*)?["'<]?(?:\[[^\]]*\]\()?(https?:\/\/[^\s"'<>)]+)["'>)]*\s*$/i
const LINKED_HEADING = /^#{1,2}\s+\[(.+)\]\((https?:\/\/[^\s)\]]+)\)\s*$/
const TAG = /^<(?:doc|document|page)\b([^>]*)>\s*$/i

/** Other lines of a page head. */
const HEADING = /^#{1,2}\s+(\S.*)$/
const RULE = /^(?:-{3,}|={3,}|\*{3,})\s*$/
const FIELD =
  /^\s*(title|description|summary|slug|date|lastmod|last[_ ](?:updated|modified)|lang|id|md|source_url)\s*:/i

/** Longer lines belong to no page head. */
const LONGEST_LINE = 3_000

/** Nonblank lines of a head on either side of its source URL. */
const HEAD_LINES = 6

/** Separators between pages, which belong to neither. */
const TRAILER = /^\s*(?:-{3,}|={3,}|<\/(?:doc|document|page)>)$/i

/**
 * Splits an llms-full.txt fetched from `url` into its pages, if it names their URLs. These may be in a line below the
 * heading (`Source:`, `URL:`), in a heading link, in front matter, or in `<doc url="…">` tags. Only the most frequent
 * notation counts, so that a quoted source does not split a page. Returns no pages if fewer than two are named, because
 * they cannot be told apart then.
 */
export function splitLlmsFull(text: string, url: string): LlmsPage[] {
  const starts = prevailing(findStarts(text, url))
  const pages = new Map<string, LlmsPage>()
  for (const [index, { from, url: page, title }] of starts.entries()) {
    const markdown = withoutTrailer(text.slice(from, starts[index + 1]?.at ?? text.length))
    // Some generators repeat the source URL for each section.
    const known = pages.get(page.href)
    if (known) known.markdown += `\n\n${markdown}`
    else pages.set(page.href, { url: page.href, title, markdown })
  }
  return pages.size < 2 ? [] : [...pages.values()]
}

function findStarts(text: string, base: string): Start[] {
  const lines = [...outsideFences(text)]
    .filter(({ line }) => line.trim() !== '')
    .map((one) => (one.line.length > LONGEST_LINE ? { ...one, line: '' } : one))
  const starts: Start[] = []
  let free = 0
  for (const [index, { line, end }] of lines.entries()) {
    const origin = index < free ? null : originOf(line, base)
    if (!origin) continue
    const first = headAbove(lines, index, free)
    const last = headBelow(lines, index)
    const head = lines.slice(first, last + 1).map((one) => titleOf(one.line))
    const title = origin.title ?? head.find((found) => found !== null) ?? null
    starts.push({ ...origin, title, at: lines[first]?.start ?? 0, from: lines[last]?.end ?? end })
    free = last + 1
  }
  return starts
}

/** Returns the first line of the head around a source URL: fields, at most one heading, and a rule above. */
function headAbove(lines: { line: string }[], origin: number, free: number): number {
  let first = origin
  let heading = LINKED_HEADING.test(lines[origin]?.line ?? '')
  while (first > free && origin - first < HEAD_LINES) {
    const line = lines[first - 1]?.line ?? ''
    const isHeading = HEADING.test(line)
    if (isHeading ? heading : !RULE.test(line) && (heading || !FIELD.test(line))) break
    heading ||= isHeading
    first--
    // The rule opens the head; lines above belong to the previous page.
    if (RULE.test(line)) break
  }
  return first
}

function headBelow(lines: { line: string }[], origin: number): number {
  let last = origin
  while (last - origin < HEAD_LINES && FIELD.test(lines[last + 1]?.line ?? '')) last++
  return RULE.test(lines[last + 1]?.line ?? '') ? last + 1 : last
}

function originOf(line: string, base: string): Origin | null {
  const [, label, labelled] = LABELLED.exec(line) ?? []
  if (labelled) return originAt(label?.toLowerCase() ?? '', labelled, base, null)
  const [, title, linked] = LINKED_HEADING.exec(line) ?? []
  if (linked) return originAt('heading', linked, base, title ?? null)
  const attributes = TAG.exec(line)?.[1]
  const href = attributes === undefined ? null : attribute(attributes, 'url|source|href|src')
  return attributes && href ? originAt('tag', href, base, attribute(attributes, 'title')) : null
}

function originAt(style: string, href: string, base: string, title: string | null): Origin | null {
  const url = URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) ? { style, url, title } : null
}

function attribute(attributes: string, name: string): string | null {
  return new RegExp(`\\b(?:${name})=["']([^"']+)["']`, 'i').exec(attributes)?.[1] ?? null
}

function titleOf(line: string): string | null {
  const heading = HEADING.exec(line)?.[1]
  if (heading !== undefined) return headingText(heading)
  const title = /^\s*title\s*:\s*(\S.*)$/i.exec(line)?.[1]?.trimEnd()
  return title?.replaceAll(/^["'](?=.)|(?<=.)["']$/g, '') ?? null
}

function withoutTrailer(markdown: string): string {
  let text = markdown.trim()
  for (;;) {
    const last = text.lastIndexOf('\n') + 1
    if (!TRAILER.test(text.slice(last))) return text
    text = text.slice(0, last).trimEnd()
  }
}

function prevailing(starts: Start[]): Start[] {
  const groups = [...Map.groupBy(starts, ({ style, url }) => `${style} ${url.host}`).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? []
}
