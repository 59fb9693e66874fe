import { addressPath } from '#lib/address-path.ts'
import type { PageMasks } from '#search/catalogue/page-mask.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { SearchRequest } from '#search/passage.ts'

/** What a request leaves of the pages and passages of each segment. An absent entry leaves all. */
export type PageFilter = {
  /** By page: 0 where it is left out. */
  pages: Map<Segment, Uint8Array>
  /** By number of the set of code languages: 0 where it is left out. */
  code: Map<Segment, Uint8Array>
}

type Restrictions = {
  path: SearchRequest['path'] | undefined
  code: SearchRequest['code'] | undefined
  masks?: PageMasks | null
}

/**
 * The filter for a request's `path` and `code` and for masks of pages, or null when it has none of them. `pathsOf` gives
 * the paths of a segment's pages.
 */
export function makePageFilter(
  { path, code, masks = null }: Restrictions,
  segments: readonly Segment[],
  pathsOf: (segment: Segment) => readonly string[],
): PageFilter | null {
  if (path === undefined && code === undefined && masks === null) return null
  const filter: PageFilter = { pages: new Map(), code: new Map() }
  const matches = path === undefined ? null : matcherOf(path)
  for (const segment of segments) {
    const mask = masks?.get(segment)
    if (mask !== undefined && matches === null) filter.pages.set(segment, mask)
    if (matches !== null) {
      const allowed = new Uint8Array(segment.pageCount)
      for (const [page, pagePath] of pathsOf(segment).entries())
        if (mask?.[page] !== 0 && matches(pagePath)) allowed[page] = 1
      filter.pages.set(segment, allowed)
    }
    if (code !== undefined)
      filter.code.set(
        segment,
        Uint8Array.from({ length: 256 }, (_, set) => (hasCode(segment.codeSet(set), code) ? 1 : 0)),
      )
  }
  return filter
}

/** Names that people and pages use for the same language. */
const ALIASES = new Map([
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['node', 'js'],
  ['python', 'py'],
  ['python3', 'py'],
  ['pycon', 'py'],
  ['ipython', 'py'],
  ['shell-session', 'sh'],
  ['sh-session', 'sh'],
  ['shellsession', 'sh'],
  ['html+django', 'html'],
  ['html+jinja', 'html'],
  ['jinja', 'html'],
  ['jinja2', 'html'],
  ['jsonc', 'json'],
  ['json5', 'json'],
  ['pwsh', 'powershell'],
  ['ps1', 'powershell'],
  ['docker', 'dockerfile'],
  ['make', 'makefile'],
  ['shell', 'sh'],
  ['bash', 'sh'],
  ['zsh', 'sh'],
  ['console', 'sh'],
  ['yml', 'yaml'],
  ['golang', 'go'],
  ['c++', 'cpp'],
  ['c#', 'cs'],
  ['csharp', 'cs'],
  ['rust', 'rs'],
  ['ruby', 'rb'],
  ['markdown', 'md'],
])

/** Databases call their SQL after themselves. */
const DIALECT = /^sql|sql$/

/** The one name under which languages are compared. */
export function languageKey(language: string): string {
  const lower = language.trim().toLowerCase()
  return ALIASES.get(lower) ?? (DIALECT.test(lower) ? 'sql' : lower)
}

function hasCode(set: string, code: true | string): boolean {
  if (set === '') return false
  if (code === true) return true
  const wanted = languageKey(code)
  return set.split(' ').some((language) => languageKey(language) === wanted)
}

/** Whether a URL's path starts with `path`, or matches it as a glob when it has a `*` (which also crosses slashes). */
export function pathMatcher(path: string): (url: string) => boolean {
  const matches = matcherOf(path)
  return (url) => matches(pathOf(url))
}

/** The path that an address is filtered by. */
export function pathOf(url: string): string {
  return url.includes('?') ? addressPath(url) : (URL.parse(url)?.pathname ?? url)
}

function matcherOf(path: string): (given: string) => boolean {
  const wanted = path.startsWith('/') || path.startsWith('*') ? path : `/${path}`
  if (!wanted.includes('*')) return (given) => given.startsWith(wanted) || `${given}/` === wanted
  // Literal pieces in order: linear in the path's length, whatever the pattern is.
  const [first = '', ...pieces] = wanted.split('*')
  const last = pieces.pop() ?? ''
  return (given) => {
    if (!given.startsWith(first)) return false
    let at = first.length
    for (const piece of pieces) {
      const found = given.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return given.length - last.length >= at && given.endsWith(last)
  }
}
