import { oneLine } from '#lib/text/one-line.ts'
import { type HtmlNode, lineOf } from './html-tree.ts'
import type { PageFacts } from './page-facts.ts'
import type { Rendered } from './render-markdown.ts'

const SEPARATOR = /(?<!\s)\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb\u2039\u203a:]|-{1,2}|::)\s+/g
const AT_START = /^[\s|\u2013\u2014\u00b7\u2022\u00bb\u2039\u203a:-]+/
const AT_END =
  /(?<![\s|\u2013\u2014\u00b7\u2022\u00bb\u2039\u203a:-])[\s|\u2013\u2014\u00b7\u2022\u00bb\u2039\u203a:-]+$/

const MAX_TITLE = 300

/** Name and section of a manual page: `git-log(1)`. */
const MANUAL_PAGE = /^[\w.+:-]{1,80}\(\d\w{0,4}\)$/

/**
 * Removes the site name from a page title. The first heading wins if the title tag contains it. Otherwise the result is
 * the part beside the site name. Without a known site name it is the longer of the first and last part, because sites
 * put their name at either end. The name of a manual page is the title wherever it is.
 */
export function cleanTitle(title: string, heading: string, siteName: string): string {
  // Javadoc names the product in brackets; titles of thousands of characters are keyword stuffing.
  const full = oneLine(title.slice(0, MAX_TITLE)).replace(/ \([^()]* API\)$/, '')
  const h1 = oneLine(heading)
  if (full === '') return h1
  if (h1 !== '' && h1.length <= 200 && full.toLowerCase().includes(h1.toLowerCase())) return h1
  const bare = withoutProduct(full, h1)
  if (bare !== null) return bare
  const parts = full.split(SEPARATOR).filter((part) => part !== '')
  if (parts.length < 2) return full
  // `Postfix manual - postqueue(1)`
  const manualPage = parts.find((part) => MANUAL_PAGE.test(part))
  if (manualPage !== undefined) return manualPage
  const site = siteName.toLowerCase()
  const others = parts.filter((part) => part.toLowerCase() !== site)
  if (site !== '' && others.length < parts.length && others.length > 0) return cut(full, parts, site)
  const first = parts[0] ?? full
  const lastPart = parts.at(-1) ?? full
  // `Documentation | Install on Linux`: a site name is short. A one-word topic before a longer site name is rarer.
  if (parts.length === 2 && lastPart.split(' ').length > 2 * first.split(' ').length + 1) {
    // `mod_rewrite - Apache HTTP Server Version 2.4` above "Apache Module mod_rewrite": the product can be longer.
    return h1.length <= 200 && ` ${h1.toLowerCase()} `.includes(` ${first.toLowerCase()} `) ? h1 : lastPart
  }
  return full.slice(0, full.length - lastPart.length).replace(AT_END, '') || full
}

const KIND = /^(?:(?:Annotation|Enum|Record) )?(?:Annotation|Class|Enum|Exception|Interface|Package|Record)(?: Type)? /

/** Returns `Gauge` for `Gauge (Tide 17)` and the heading `Class Gauge<T>`: reference generators append the product. */
function withoutProduct(title: string, heading: string): string | null {
  const [, bare = '', product = ''] = /^(\S+) \(([^()]+)\)$/.exec(title) ?? []
  if (bare === '' || heading.includes(product)) return null
  const kind = KIND.exec(heading)?.[0] ?? ''
  const rest = heading.slice(kind.length)
  return kind !== '' && (rest === bare || rest.startsWith(`${bare}<`)) ? bare : null
}

/**
 * Returns the title parts beside the site name in lower case, if the heading is the site name. A heading counts as such if it equals
 * `siteName` or the last part of the title.
 */
function partsBesideSite(title: string, heading: string, siteName: string): string[] {
  const full = oneLine(title.slice(0, MAX_TITLE)).toLowerCase()
  const parts = full.split(SEPARATOR)
  const named = heading.toLowerCase()
  if (named !== siteName.toLowerCase() && named !== parts.at(-1)) return []
  return [...parts, cut(full, parts, named)].filter((part) => part !== '' && part !== named)
}

/** Removes the site name and keeps the separators between the other parts. */
function cut(full: string, parts: string[], site: string): string {
  const isLast = parts.at(-1)?.toLowerCase() === site
  if (!isLast && parts[0]?.toLowerCase() !== site) return full
  const rest = isLast ? full.slice(0, full.length - site.length) : full.slice(site.length)
  return rest.replace(AT_START, '').replace(AT_END, '')
}

/** Number of first blocks searched for the purpose line: one or two headings, then the line. */
const HEAD_BLOCKS = 4
const LONGEST_PURPOSE = 160
const SECTION = /(?<!\s)\s*\(\d\w{0,4}\)$/

/**
 * Appends the purpose line of a reference page to its title. Manual and DocBook pages have such a line below `NAME`
 * (`git-log - Show commit logs`): `git-log(1)` becomes `git-log(1) — Show commit logs`. Returns any other title
 * unchanged.
 */
export function withPurpose(title: string, { markdown, blocks }: Rendered): string {
  const name = title.replace(SECTION, '')
  if (name === '' || /\s[–—-]\s/.test(title)) return title
  for (const { kind, start, end } of blocks.slice(0, HEAD_BLOCKS)) {
    if (kind === 'heading') continue
    if (kind !== 'paragraph' || end - start > 2 * LONGEST_PURPOSE) return title
    const line = markdown.slice(start, end).replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ')
    // A page can have several names: `SELECT, TABLE, WITH — retrieve rows`.
    const [, names = '', purpose = ''] = /^(.{1,200}?)\s[–—-]\s(.+)$/.exec(line) ?? []
    const isNamed = names.toLowerCase().split(/,\s*/).includes(name.toLowerCase())
    return isNamed && purpose.length <= LONGEST_PURPOSE ? `${title} — ${purpose}` : title
  }
  return title
}

/** Permalink symbol at the end of a heading. The `#` of `C#` is not one, because no space precedes it. */
const PERMALINK_SIGN = /(?<!\s)(?:\s+#|\s*[\u00b6\u00a7\u{1f517}])$/u

/**
 * Finds the page title. The first heading that the title tag repeats separates the title from the site name. Without
 * one, the first heading in the text does. A heading that is the site name, as in a banner, does not count. Then a
 * later heading that the rest of the title tag repeats is the title.
 */
export function pageTitle({ title, siteName }: Pick<PageFacts, 'title' | 'siteName'>, region: HtmlNode): string {
  const isInRegion = ({ index }: HtmlNode) => index >= region.index && index < region.end
  const full = title.toLowerCase()
  let besides: string[] = []
  let first = ''
  let named = ''
  for (const node of region.tree) {
    if (node.tag !== 'h1' && (named === '' || node.tag !== 'h2')) continue
    const text = lineOf(node).replace(PERMALINK_SIGN, '')
    if (text === '') continue
    if (named !== '') {
      if (besides.includes(text.toLowerCase())) return text
    } else if (full.includes(text.toLowerCase())) {
      named = text
      besides = partsBesideSite(title, text, siteName)
      if (besides.length === 0) break
    } else if (first === '' && isInRegion(node)) first = text
  }
  const heading = named || first
  if (heading !== '') return cleanTitle(title, heading, siteName)
  // Without `h1`, the first `h2` of the region is the title if the title tag starts with it.
  const section = region.tree.find((node) => node.tag === 'h2' && isInRegion(node))
  const text = section === undefined ? '' : lineOf(section)
  return text !== '' && title.startsWith(`${text}:`) ? text : cleanTitle(title, '', siteName)
}
