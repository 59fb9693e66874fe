import { headingText } from '#lib/text/replace-links.ts'

/** A link of an llms.txt. */
export type LlmsLink = {
  /** Absolute http(s) URL. */
  url: string
  title: string
  /** The enclosing heading, or null. */
  section: string | null
  /** Listed under "Optional", a heading which the format defines as skippable. */
  optional: boolean
}

/** Far more than any real file has; pages of links are limited by their size elsewhere. */
const MAX_LINKS = 50_000
/** Characters per link, as in a sitemap, and of all links. */
const MAX_LINK = 2_048
const MAX_CHARACTERS = 8_000_000

const LINK =
  /\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*<?([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s{1,9}["'(][^)]{0,999})?\s{0,9}\)/g
/** Longer lines are no headings. */
const LONGEST_HEADING = 1_000
const STOPS = /(?<![.,;:!?])[.,;:!?]+$/
const BARE = /(?<![(<\w])<?(https?:\/\/[^\s<>()]+)>?/g

/**
 * Parses an llms.txt (https://llmstxt.org/) fetched from `url`: its title, and its links in order without duplicates.
 * Accepts any Markdown link and bare URLs, because many files follow the format only loosely.
 */
export function parseLlmsTxt(text: string, url: string): { title: string | null; links: LlmsLink[] } {
  const links = new Map<string, LlmsLink>()
  let title: string | null = null
  let section: string | null = null
  let characters = 0
  for (const { line } of outsideFences(text)) {
    if (line.length < LONGEST_HEADING) {
      title ??= headingOf(/^#\s+(\S.*)$/.exec(line))
      section = headingOf(/^#{2,6}\s+(\S.*)$/.exec(line)) ?? section
    }
    for (const [href, label] of linksOf(line)) {
      const target = URL.parse(href, url)
      if (!target || !/^https?:$/.test(target.protocol) || target.href.length >= MAX_LINK) continue
      if (links.has(target.href)) continue
      characters += target.href.length
      if (links.size >= MAX_LINKS || characters > MAX_CHARACTERS) return { title, links: [...links.values()] }
      links.set(target.href, { url: target.href, title: label, section, optional: /^optional$/i.test(section ?? '') })
    }
  }
  return { title, links: [...links.values()] }
}

function linksOf(line: string): [href: string, title: string][] {
  const inline = [...line.matchAll(LINK)].map(([, title = '', href = '']): [string, string] => [href, title.trim()])
  const rest = line.replaceAll(LINK, ' ')
  // Punctuation after a bare URL belongs to the sentence.
  const bare = rest.matchAll(BARE).map(([, href = '']): [string, string] => [href.replace(STOPS, ''), ''])
  return [...inline, ...bare]
}

function headingOf(match: RegExpExecArray | null): string | null {
  return match?.[1] === undefined ? null : headingText(match[1])
}

/** Yields the lines of a Markdown text outside fenced code, with offsets and without line ends. */
export function* outsideFences(text: string): Generator<{ line: string; start: number; end: number }> {
  let fence: string | null = null
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found + 1
    const line = text.slice(start, found < 0 ? next : found).replace(/\r$/, '')
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      // CommonMark 4.5: a closing fence has at least as many of the same character, and nothing else on its line.
      if (marker?.startsWith(fence) && /^ {0,3}[`~]+\s*$/.test(line)) fence = null
    } else if (marker) fence = marker
    else yield { line, start, end: next }
    start = next
  }
}
