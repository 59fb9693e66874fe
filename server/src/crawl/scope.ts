import { newestAsked } from '#lib/text/version.ts'
import { isVersionPart } from '#search/catalogue/page-version.ts'
import { compilePattern, matchesPattern } from '#lib/addresses/path-pattern.ts'

export type Scope = ReturnType<typeof createScope>

type Options = {
  start: URL
  landed?: URL
  /** Path patterns as in robots.txt (`*` matches anything, `$` the end). If given, they replace the prefix. */
  include?: string[]
  /** Path patterns to exclude, with precedence over `include`. */
  exclude?: string[]
  /** Other versions to read, which stand in the path in place of that of the start. */
  versions?: string[]
}

/** Path segments for a language or a version: `en`, `pt-br`, `latest`, `v2`, `3.12.x`. */
const VARIANT = /^(?:[a-z]{2}(?:[-_][a-z]{2,4})?|latest|stable|current|main|master|next|dev|v?\d+(?:\.\w+)*)$/i

/**
 * Creates the scope of a crawl: the start URL's site (ignoring `www.` and http or https) below its path. A redirect of
 * the start moves the scope. A redirect to a language or version (`/` to `/en/latest/`) narrows it, so that other
 * versions are not crawled. A redirect elsewhere replaces it.
 */
export function createScope({ start, landed = start, include = [], exclude = [], versions = [] }: Options) {
  const prefix = prefixFor(start, landed)
  const others = prefixesOf(prefix, versions)
  const family = versions.some((version) => newestAsked(version) !== null) ? familyOf(prefix) : null
  const site = siteOf(landed)
  const included = include.map(compilePattern)
  const excluded = exclude.map(compilePattern)
  return {
    origin: landed.origin,
    /** Path prefix of the requested part of the site. */
    prefix,
    /** Those of its other versions. */
    others,
    /** Below it, the versions to read are chosen: the prefix, or the folder of its version and all others. */
    variants: family === null ? { prefix, versions } : { prefix: family.folder, versions: [...versions, family.own] },
    isChosen: included.length > 0,
    includes(url: URL): boolean {
      if (siteOf(url) !== site) return false
      const path = url.pathname + url.search + url.hash
      if (excluded.some((pattern) => matchesPattern(pattern, path))) return false
      return included.length > 0
        ? included.some((pattern) => matchesPattern(pattern, path))
        : [prefix, ...others].some((each) => isBelow(url.pathname, each)) || isOfFamily(url, family)
    },
    /** Rewrites a URL of the same site to the crawl's origin, if it differs by http or `www.` only. */
    atHome(url: URL): URL {
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

/** The prefixes of other versions. None if the prefix names no version. */
function prefixesOf(prefix: string, versions: readonly string[]): string[] {
  const parts = prefix.split('/')
  const at = parts.findLastIndex(isVersionPart)
  const named = versions.filter((version) => newestAsked(version) === null)
  return at < 0 ? [] : named.map((version) => parts.with(at, version).join('/'))
}

type VersionFamily = { folder: string; own: string; below: string }

/** The folder of the version that a prefix names, its name, and the path below it. Null if it names none. */
function familyOf(prefix: string): VersionFamily | null {
  const parts = prefix.split('/')
  const at = parts.findLastIndex(isVersionPart)
  if (at < 0) return null
  const below = parts.slice(at + 1).filter(Boolean)
  return { folder: `${parts.slice(0, at).join('/')}/`, own: parts[at] ?? '', below: below.join('/') }
}

/** True for a URL of any version at the place of the prefix. */
function isOfFamily({ pathname }: URL, family: VersionFamily | null): boolean {
  if (family === null || !pathname.startsWith(family.folder)) return false
  const [version = '', ...rest] = pathname.slice(family.folder.length).split('/')
  return isVersionPart(version) && (family.below === '' || isBelow(rest.join('/'), family.below))
}

/** Returns the folder of a file. Any other path is returned unchanged, and covers the pages below. */
function folderOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return /\.\w+$/.test(file) ? path.slice(0, path.length - file.length) : path
}

/** Returns the folder of the landing page. A page at the top level is returned unchanged. */
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
