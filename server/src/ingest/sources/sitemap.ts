import { Parser } from 'htmlparser2'
import { decodeXml } from './decode-xml.ts'

/** One entry of a sitemap. */
export type SitemapEntry = {
  /** Absolute http(s) URL. */
  url: string
  /** Milliseconds since 1970, null where the site does not say or it makes no sense. */
  lastModified: number | null
}

export type Sitemap = {
  /** Pages, of a urlset or a text file. */
  pages: SitemapEntry[]
  /** Further sitemaps, of an index. */
  sitemaps: SitemapEntry[]
  /** What could not be read, in sentences; what could be is in the lists all the same. */
  problems: string[]
}

/** The limits of the protocol, https://www.sitemaps.org/protocol.html#index. */
const MAX_ENTRIES = 50_000
const MAX_BYTES = 50 * 1024 * 1024
const MAX_LOCATION = 2_048
/** Characters of all entries. 50,000 of 160 each; real ones have half as many. */
const MAX_CHARACTERS = 8_000_000
/** Elements in one another. A location stands in the third, an image's in the fourth; in the parser each costs all that it is in. */
const MAX_DEPTH = 50

/**
 * Reads a sitemap (XML urlset or index, or plain text), already decompressed, that was fetched from `url`. Never
 * throws: of a broken one it gives what could be read. Namespaces and prefixes may be missing, wrong or unusual;
 * locations of images, videos and alternates are not pages. Document type definitions are not read.
 */
export function parseSitemap(bytes: Uint8Array, url: string): Sitemap {
  const sitemap: Sitemap = { pages: [], sitemaps: [], problems: [] }
  if (bytes.length > MAX_BYTES) sitemap.problems.push(`Only the first ${MAX_BYTES} bytes were read.`)
  const text = decodeXml(bytes.subarray(0, MAX_BYTES))
  const collect = collector(sitemap, url)
  if (/^\s*</.test(text)) readXml(text, sitemap.problems, collect)
  // A text sitemap is absolute URLs, one a line; other text, or what is no text at all, has none.
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

const LISTS = { url: 'pages', sitemap: 'sitemaps' } as const

/** An element that is being read; `own` is the text in it that no other element holds. */
type Entry = { tag: string; prefix: string; list: keyof Lists; own: string; loc: string; lastmod: string }

type Lists = Pick<Sitemap, 'pages' | 'sitemaps'>

function readXml(text: string, problems: string[], collect: Collect): void {
  let root: string | null = null
  let closed = false
  let entry: Entry | null = null
  let depth = 0
  /** Elements open inside the entry, innermost last. */
  const inner: string[] = []
  const parser = new Parser(
    {
      onopentagname(tag) {
        root ??= tag
        if (++depth > MAX_DEPTH) return parser.pause()
        const [prefix, name] = splitName(tag)
        if (name === 'url' || name === 'sitemap') {
          entry = { tag, prefix, list: LISTS[name], own: '', loc: '', lastmod: '' }
          inner.length = 0
        } else inner.push(tag)
      },
      ontext(data) {
        const field = entry && fieldOf(entry, inner)
        if (entry && field) entry[field] += data
      },
      onclosetag(tag, implied) {
        depth--
        if (tag === root) closed = !implied
        if (tag === entry?.tag) {
          // Some files have the location right in the entry.
          const location = entry.loc.trim() || (implied ? '' : entry.own.trim())
          if (location !== '') collect(entry.list, location, entry.lastmod)
          entry = null
          return
        }
        const field = entry && fieldOf(entry, inner)
        // Cut off in the middle: half a URL is none.
        if (implied && entry && field) entry[field] = ''
        inner.pop()
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  if (!/(?:^|:)(?:urlset|sitemapindex)$/i.test(root ?? '')) problems.push('This is not a sitemap.')
  else if (!closed) problems.push('The file is cut off or not well-formed.')
}

/** What text at this place belongs to. An image's or a video's `loc` has another prefix than its page. */
function fieldOf(entry: Entry, inner: string[]): 'own' | 'loc' | 'lastmod' | null {
  const tag = inner.at(-1)
  if (tag === undefined) return 'own'
  const [prefix, name] = splitName(tag)
  return prefix === entry.prefix && (name === 'loc' || name === 'lastmod') ? name : null
}

function splitName(tag: string): [prefix: string, name: string] {
  const colon = tag.indexOf(':')
  return [tag.slice(0, colon + 1), tag.slice(colon + 1).toLowerCase()]
}
