import { compilePattern, type PathPattern } from '#lib/addresses/path-pattern.ts'

export type RobotsRules = {
  /** An index that finds the deciding rule in bounded time, sorted by text. Plain data, so that processes can exchange it. */
  rules: Head[]
  crawlDelay: number | null
  /** Absolute sitemap URLs in order, without duplicates. */
  sitemaps: string[]
}

export const NO_RULES: RobotsRules = { rules: indexPathRules([]), crawlDelay: null, sitemaps: [] }

/** Maximum bytes read. RFC 9309, section 2.5, requires at least 500 KiB, and nobody reads more. */
export const MAX_PARSED_BYTES = 500 * 1024

/** Google's line limit: eight of the longest URLs of older browsers (and a terminating zero). */
const MAX_LINE = 2083 * 8 - 1

/** Field names, with known misspellings. Any suffix may follow, as in `Disallow-all`. */
const NAMES = {
  agent: /^(?:user-?agent|user agent|useg-agent|ser-agent|users-agent|user-agnet)/i,
  allow: /^allow/i,
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw|desallow)/i,
  delay: /^crawl-?delay/i,
  sitemap: /^site-?map/i,
} as const

type Kind = keyof typeof NAMES

/** Parses a robots.txt (RFC 9309) for a product token such as `Docent`. `url` is its address. Never throws. */
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
      // Consecutive agents share a group. Only rules end the row; sitemaps and unknown lines do not.
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
  for (const line of decode(bytes.subarray(0, MAX_PARSED_BYTES)).split(/\r\n|\r|\n/)) {
    const [kind, value] = readLine(line)
    if (kind) take[kind](value)
  }
  const { rules, crawlDelay } = own.named ? own : everyone
  return { rules: indexPathRules(rules), crawlDelay, sitemaps: [...sitemaps] }
}

export type PathRule = { pattern: string; allow: boolean }

type Group = { named: boolean; rules: PathRule[]; crawlDelay: number | null }

function readLine(line: string): [kind: Kind | null, value: string] {
  const text = trim(line.slice(0, MAX_LINE).replace(/#.*/s, ''))
  // The colon is often missing. A line of exactly two words is unambiguous.
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

/** A product token consists of letters, `_`, `-` and in practice digits. Any version or text after it is ignored. */
function isToken(value: string, productToken: string): boolean {
  return /^[a-z\d_-]*/i.exec(value)?.[0].toLowerCase() === productToken.toLowerCase() && productToken !== ''
}

/** Patterns are compared in URL form: non-ASCII percent-encoded, upper-case hexadecimal. */
function escapePattern(value: string): string {
  return value
    .replace(/[^\x00-\x7f]+/g, (text) => encodeURIComponent(text))
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
}

/** Blanks and tabs only: `String.trim` would also remove a byte order mark in the middle of a file. */
function trim(text: string): string {
  return text.replace(/^[ \t\v\f]+|(?<![ \t\v\f])[ \t\v\f]+$/g, '')
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  // A byte order mark can be present, whole or in part.
  let start = 0
  for (const byte of [0xef, 0xbb, 0xbf]) if (bytes[start] === byte) start++
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start))
}

/** Rules with the same text before their first `*`. */
type Head = {
  text: string
  /** Index of the longest other head that is a prefix of this one, or -1. */
  parent: number
  /** The rule for all paths with this prefix, and the one for exactly this path. */
  prefix: Verdict | null
  exact: Verdict | null
  /** Rules with wildcards, by descending precedence. */
  wildcards: (PathPattern & Verdict)[]
}

/** The longest pattern wins. Among equal lengths, allow wins (RFC 9309, section 2.2.2). */
type Verdict = { length: number; allow: boolean }
/**
 * Maximum steps per path: characters passed over, plus `STEPS_A_PIECE` per searched text. Up to 0.5 ms. A file of 1,000
 * rules such as `/*?sort=` takes 100,000 for a path of usual length.
 */
export const MAX_STEPS = 300_000
const STEPS_A_PIECE = 16

export function indexPathRules(rules: readonly PathRule[]): Head[] {
  const byText = new Map<string, Head>()
  for (const { pattern, allow } of rules) {
    const compiled = compilePattern(pattern)
    const { head: text, pieces, anchored, length } = compiled
    const head = byText.get(text) ?? { text, parent: -1, prefix: null, exact: null, wildcards: [] }
    byText.set(text, head)
    if (pieces.length > 0) head.wildcards.push({ ...compiled, allow })
    else if (anchored) head.exact = stronger(head.exact, { length, allow })
    else head.prefix = stronger(head.prefix, { length, allow })
  }
  const heads = [...byText.values()].sort((a, b) => (a.text < b.text ? -1 : 1))
  const open: number[] = []
  for (const [index, head] of heads.entries()) {
    head.wildcards.sort((a, b) => (isStronger(a, b) ? -1 : Number(isStronger(b, a))))
    while (open.length > 0 && !head.text.startsWith(heads[open.at(-1) ?? 0]?.text ?? '')) open.pop()
    head.parent = open.at(-1) ?? -1
    open.push(index)
  }
  return heads
}

/**
 * True if the rules allow a path (percent-encoded, with its query, as in `pathname + search`). A path that takes more
 * than `maxSteps` is forbidden: no honest file comes near, and an unread rule might forbid it.
 */
export function allowsPath({ rules: heads }: Pick<RobotsRules, 'rules'>, path: string, maxSteps = MAX_STEPS): boolean {
  const budget = { steps: maxSteps }
  const last = lastNotAfter(heads, path)
  const common = commonLength(heads[last]?.text ?? '', path)
  let best: Verdict | null = null
  for (let at = last; at >= 0; at = heads[at]?.parent ?? -1) {
    const head = heads[at]
    // All of these texts are prefixes of the first, which shares this many characters with the path.
    if (!head || head.text.length > common) continue
    if (head.prefix) best = stronger(best, head.prefix)
    if (head.exact && head.text.length === path.length) best = stronger(best, head.exact)
    for (const rule of head.wildcards) {
      if (best !== null && !isStronger(rule, best)) break
      if (matches(rule, path, budget)) best = rule
      if (budget.steps <= 0) return false
    }
  }
  return best?.allow ?? true
}

function stronger<T extends Verdict>(known: T | null, other: T): T {
  return known === null || isStronger(other, known) ? other : known
}

function isStronger(a: Verdict, b: Verdict): boolean {
  return a.length > b.length || (a.length === b.length && a.allow && !b.allow)
}

/** Matches the rest of a path after the head, by the first occurrence of each piece, so without backtracking. */
function matches({ head, pieces, anchored }: PathPattern, path: string, budget: { steps: number }): boolean {
  let at = head.length
  for (const [index, piece] of pieces.entries()) {
    budget.steps -= STEPS_A_PIECE + piece.length
    if (budget.steps <= 0) return false
    if (anchored && index === pieces.length - 1) return path.length - piece.length >= at && path.endsWith(piece)
    const found = path.indexOf(piece, at)
    budget.steps -= (found < 0 ? path.length : found) - at
    if (found < 0) return false
    at = found + piece.length
  }
  return true
}

/** Index of the last head whose text does not sort after `path`, or -1. */
function lastNotAfter(heads: readonly Head[], path: string): number {
  let low = 0
  let high = heads.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((heads[middle]?.text ?? '') <= path) low = middle + 1
    else high = middle
  }
  return low - 1
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
