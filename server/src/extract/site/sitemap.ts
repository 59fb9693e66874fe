import { Parser } from 'htmlparser2'
import { decodeText } from '../decode.ts'

export type SitemapEntry = {
  /** Absolute http(s) URL. */
  url: string
  /** Milliseconds since 1970; null if missing or invalid. */
  lastModified: number | null
}

export type Sitemap = {
  /** Pages of a urlset or a text file. */
  pages: SitemapEntry[]
  /** Further sitemaps of an index. */
  sitemaps: SitemapEntry[]
  /** Problems as sentences; readable entries are listed regardless. */
  problems: string[]
}

/** Limits of the protocol, https://www.sitemaps.org/protocol.html#index. */
const MAX_ENTRIES = 50_000
const MAX_BYTES = 50 * 1024 * 1024
const MAX_LOCATION = 2_048
/** Characters of all entries: 50,000 of 160 each. Real ones are half as long. */
const MAX_CHARACTERS = 8_000_000
/** A page's location is at depth three, an image's at four. The parser's cost per element grows with depth. */
const MAX_DEPTH = 50

/**
 * Parses a decompressed sitemap (XML urlset or index, RSS or Atom feed, or plain text) fetched from `url`. Never throws: returns the
 * readable entries of a broken file. Accepts missing, wrong or unusual namespaces and prefixes. Ignores locations of
 * images, videos and alternates, and document type definitions.
 */
export function parseSitemap(bytes: Uint8Array, url: string): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [], problems: [] }
  if (bytes.length > MAX_BYTES) sitemap.problems.push(`Only the first ${MAX_BYTES} bytes were read.`)
  const text = decodeText(bytes.subarray(0, MAX_BYTES), null) ?? ''
  const collect = collector(sitemap, url)
  if (/^\s*</.test(text)) readXml(text, sitemap.problems, collect)
  // A text sitemap has one absolute URL per line; other lines are ignored.
  else for (const line of text.split(/[\r\n]+/)) if (/^\s{0,99}https?:/i.test(line)) collect('pages', line, '')
  return sitemap
}

type Collect = (list: 'pages' | 'sitemaps', location: string, lastModified: string) => void

function collector(sitemap: Sitemap, base: string): Collect {
  const seen = new Set<string>()
  let characters = 0
  const say = (problem: string) => {
    if (!sitemap.problems.includes(problem)) sitemap.problems.push(problem)
  }
  return (list, location, lastModified) => {
    const url = URL.parse(location.trim(), base)
    if (!url || !/^https?:$/.test(url.protocol)) return say('Some entries are not http or https URLs.')
    if (url.href.length >= MAX_LOCATION) return say(`Some entries are longer than ${MAX_LOCATION - 1} characters.`)
    if (seen.has(url.href)) return
    if (seen.size >= MAX_ENTRIES || characters + url.href.length > MAX_CHARACTERS)
      return say(`Only the first ${seen.size} entries were read.`)
    seen.add(url.href)
    characters += url.href.length
    const time = Date.parse(lastModified.trim())
    sitemap[list].push({ url: url.href, lastModified: Number.isNaN(time) ? null : time })
  }
}

/** The current entry. `own` is its text outside of child elements, and `href` the address that its link has. */
type Entry = Record<'tag' | 'prefix' | 'own' | 'loc' | 'href' | 'lastmod', string> & { list: 'pages' | 'sitemaps' }

function readXml(text: string, problems: string[], collect: Collect): void {
  let root: string | null = null
  let closed = false
  let entry: Entry | null = null
  let depth = 0
  /** Open elements inside the entry, innermost last. */
  const inner: string[] = []
  const parser = new Parser(
    {
      onopentag(tag, { rel, href }) {
        root ??= tag
        if (++depth > MAX_DEPTH) return parser.pause()
        const [prefix, name] = splitName(tag)
        if (/^(?:url|sitemap|item|entry)$/.test(name)) {
          entry = {
            tag,
            prefix,
            list: name === 'sitemap' ? 'sitemaps' : 'pages',
            own: '',
            loc: '',
            href: '',
            lastmod: '',
          }
          inner.length = 0
          return
        }
        // Atom has the address of the page in an attribute.
        const isPage = name === 'link' && (rel === undefined || rel === 'alternate')
        if (entry?.href === '' && inner.length === 0 && prefix === entry.prefix && isPage) entry.href = href ?? ''
        inner.push(tag)
      },
      ontext(data) {
        const field = entry && fieldOf(entry, inner)
        if (entry && field) entry[field] += data
      },
      onclosetag(tag, implied) {
        depth--
        if (tag === root) closed = !implied
        if (tag === entry?.tag) {
          // Some files put the location directly into the entry.
          const location = entry.loc.trim() || (implied ? '' : entry.href || entry.own.trim())
          if (location !== '') collect(entry.list, location, entry.lastmod)
          entry = null
          return
        }
        const field = entry && fieldOf(entry, inner)
        // Drop a truncated URL.
        if (implied && entry && field) entry[field] = ''
        inner.pop()
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  if (!/(?:^|:)(?:urlset|sitemapindex|rss|feed)$/i.test(root ?? '')) problems.push('This is not a sitemap.')
  else if (!closed) problems.push('The file is cut off or not well-formed.')
}

/** Returns the field for text at this position. The `loc` of an image or video has another prefix than its page. */
function fieldOf(entry: Entry, inner: string[]): 'own' | 'loc' | 'lastmod' | null {
  const tag = inner.at(-1)
  if (tag === undefined) return 'own'
  const [prefix, name] = splitName(tag)
  if (prefix !== entry.prefix) return null
  if (name === 'loc' || name === 'lastmod') return name
  // Members of a feed. The `pubDate` of RSS does not change with the page.
  if (inner.length > 1) return null
  return name === 'link' ? 'loc' : name === 'updated' ? 'lastmod' : null
}

function splitName(tag: string): [prefix: string, name: string] {
  const colon = tag.indexOf(':')
  return [tag.slice(0, colon + 1), tag.slice(colon + 1).toLowerCase()]
}
