import { compilePattern, matchesPattern } from '#lib/path-pattern.ts'

/** Which URLs belong to a source. */
export type Scope = {
  /** Where the crawl is at home, after redirects. */
  origin: string
  /** The part of the site that was asked for: a path that the pages' paths start with. */
  prefix: string
  /** The account has said which paths belong to it. */
  isChosen: boolean
  /** Whether a URL is a page of this source. */
  includes(url: URL): boolean
  /** Gives a URL of the same site, but with http for https or with or without `www.`, the crawl's own origin. */
  atHome(url: URL): URL
}

type Options = {
  /** What the account asked to index. */
  start: URL
  /** Where that led after redirects. */
  landed?: URL
  /** Patterns of paths as in robots.txt (`*` anything, `$` the end). With any, they take the prefix's place. */
  include?: string[]
  /** Patterns of paths that are left out, whatever else says. */
  exclude?: string[]
}

/** Path segments that choose a language or a version rather than a subject: `en`, `pt-br`, `latest`, `v2`, `3.12.x`. */
const VARIANT = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|latest|stable|current|main|master|next|dev|v?\d+(?:\.\w+)*)$/i

/**
 * The scope of a crawl that starts at a URL: the same site (`www.` and http or https make no difference), below the
 * start's path. A start that redirects takes the scope along: to its language or version (`/` to `/en/latest/`), so
 * that not every other version is crawled too, and to another place or another site.
 */
export function createScope({ start, landed = start, include = [], exclude = [] }: Options): Scope {
  const prefix = prefixFor(start, landed)
  const site = siteOf(landed)
  const included = include.map(compilePattern)
  const excluded = exclude.map(compilePattern)
  return {
    origin: landed.origin,
    prefix,
    isChosen: included.length > 0,
    includes(url) {
      if (siteOf(url) !== site) return false
      const path = url.pathname + url.search + url.hash
      if (excluded.some((pattern) => matchesPattern(pattern, path))) return false
      return included.length > 0
        ? included.some((pattern) => matchesPattern(pattern, path))
        : isBelow(url.pathname, prefix)
    },
    atHome(url) {
      if (url.origin === landed.origin || siteOf(url) !== site) return url
      return new URL(url.pathname + url.search + url.hash, landed.origin)
    },
  }
}

function prefixFor(start: URL, landed: URL): string {
  const asked = folderOf(start.pathname)
  if (landed.href === start.href) return asked
  const reached = landed.pathname
  if (siteOf(start) !== siteOf(landed) || !isBelow(reached, asked)) return entranceOf(reached)
  const segments = reached.slice(asked.length).split('/').filter(Boolean)
  const subject = segments.findIndex((segment) => !VARIANT.test(segment))
  const variants = subject < 0 ? segments : segments.slice(0, subject)
  return variants.length === 0 ? asked : `${asked.replace(/\/$/, '')}/${variants.join('/')}/`
}

/** A path that names a file stands for its folder; any other stands for itself and what is below. */
function folderOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return /\.\w+$/.test(file) ? path.slice(0, path.length - file.length) : path
}

/** The folder of the page that a site sends its visitors to; a page at the top level stands for itself. */
function entranceOf(path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return folder === '/' ? folderOf(path) : folder
}

function isBelow(path: string, prefix: string): boolean {
  if (prefix.endsWith('/')) return path.startsWith(prefix) || `${path}/` === prefix
  return path === prefix || path.startsWith(`${prefix}/`)
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '').replace(/\.$/, '')}:${port}`
}
