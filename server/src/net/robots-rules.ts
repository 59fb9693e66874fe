import { allowsPathBy, indexPathRules, type PathRule, type PathRules } from './path-rules.ts'

/** What a robots.txt says to one crawler. */
export type RobotsRules = {
  rules: PathRules
  /** Seconds between requests that the site asks for. */
  crawlDelay: number | null
  /** Absolute URLs of sitemaps, each once, in order. */
  sitemaps: string[]
}

/** Of a site without a robots.txt. */
export const NO_RULES: RobotsRules = { rules: indexPathRules([]), crawlDelay: null, sitemaps: [] }

/** The part that is read: RFC 9309, 2.5 asks for at least 500 KiB, and nobody reads more. */
const MAX_BYTES = 500 * 1024

/** Google's limit on a line, eight of the longest URLs that browsers used to take (and a closing zero). */
const MAX_LINE = 2083 * 8 - 1

/**
 * Names of lines, with the misspellings that Google's parser and crawler-commons know from the wild. A name may be
 * followed by anything, as in `Disallow-all`.
 */
const NAMES = {
  agent: /^(?:user-?agent|user agent|useg-agent|ser-agent|users-agent|user-agnet)/i,
  allow: /^allow/i,
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw|desallow)/i,
  delay: /^crawl-?delay/i,
  sitemap: /^site-?map/i,
} as const

type Kind = keyof typeof NAMES

/**
 * Reads a robots.txt as RFC 9309 says, for the crawler with the given product token (the name alone, as in `Docent`).
 * Never throws: lines that make no sense are passed over. `url` is where the file came from, for relative sitemaps.
 */
export function parseRobots(bytes: Uint8Array, productToken: string, url: string): RobotsRules {
  const own: Group = { named: false, rules: [], crawlDelay: null }
  const everyone: Group = { named: false, rules: [], crawlDelay: null }
  const sitemaps = new Set<string>()
  let open = new Set<Group>()
  let namesAgents = true
  const rule = (allow: boolean, value: string) => {
    namesAgents = false
    for (const group of open) for (const each of rulesFor(allow, value)) group.rules.push(each)
  }
  const take: Record<Kind, (value: string) => void> = {
    agent(value) {
      // Agents in a row share a group. Only rules end the row: a sitemap or an unknown line in between does not.
      if (!namesAgents) open = new Set()
      namesAgents = true
      const group = isToken(value, productToken) ? own : /^\*(?:\s|$)/.test(value) ? everyone : null
      if (group) open.add(Object.assign(group, { named: true }))
    },
    allow: (value) => rule(true, value),
    disallow: (value) => rule(false, value),
    delay(value) {
      if (/^\d+(?:\.\d+)?$/.test(value)) for (const group of open) group.crawlDelay = Number(value)
    },
    sitemap(value) {
      const sitemap = value === '' ? null : URL.parse(value, url)
      if (sitemap) sitemaps.add(sitemap.href)
    },
  }
  for (const line of decode(bytes.subarray(0, MAX_BYTES)).split(/\r\n|\r|\n/)) {
    const [kind, value] = readLine(line)
    if (kind) take[kind](value)
  }
  const { rules, crawlDelay } = own.named ? own : everyone
  return { rules: indexPathRules(rules), crawlDelay, sitemaps: [...sitemaps] }
}

/** Whether the rules let a crawler fetch a path (with its query, percent-encoded, as in `pathname + search`). */
export function allowsPath({ rules }: RobotsRules, path: string): boolean {
  return allowsPathBy(rules, path)
}

type Group = { named: boolean; rules: PathRule[]; crawlDelay: number | null }

function readLine(line: string): [kind: Kind | null, value: string] {
  const text = trim(line.slice(0, MAX_LINE).replace(/#.*/s, ''))
  // Many forget the colon; with exactly two words it is clear what they mean.
  const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(text) ?? /^(\S+)[ \t]+(\S+)$/.exec(text) ?? []
  for (const kind of ['agent', 'disallow', 'allow', 'delay', 'sitemap'] as const) {
    if (NAMES[kind].test(trim(name))) return [kind, trim(value)]
  }
  return [null, '']
}

function rulesFor(allow: boolean, value: string): PathRule[] {
  if (value === '') return []
  const pattern = escapePattern(value)
  // As with Google, allowing a folder's index page allows the folder's own URL.
  const folder = allow ? /^(.*\/)index\.htm/s.exec(pattern)?.[1] : undefined
  const patterns = folder === undefined ? [pattern] : [pattern, `${folder}$`]
  return patterns.map((one) => ({ allow, pattern: one }))
}

/** A product token is letters, `_`, `-` and in practice digits; what follows (a version, further words) does not count. */
function isToken(value: string, productToken: string): boolean {
  return /^[a-z\d_-]*/i.exec(value)?.[0].toLowerCase() === productToken.toLowerCase() && productToken !== ''
}

/** Patterns are compared in the form that URLs have: what is not ASCII percent-encoded, hexadecimal in capitals. */
function escapePattern(value: string): string {
  return value
    .replace(/[^\x00-\x7f]+/g, (text) => encodeURIComponent(text))
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
}

/** Only blanks and tabs: `String.trim` would also take a byte order mark in the middle of a file for white space. */
function trim(text: string): string {
  return text.replace(/^[ \t\v\f]+|(?<![ \t\v\f])[ \t\v\f]+$/g, '')
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // A byte order mark may be there, in part or as a whole.
  let start = 0
  for (const byte of [0xef, 0xbb, 0xbf]) if (bytes[start] === byte) start++
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start))
}
