import type { Segment } from '#search/segment/open-segment.ts'
import { isOfLine, parseVersion } from '#lib/text/version.ts'

/** A version in a URL path. Excludes whole numbers, which are more often pages, chapters and years. */
const NUMBERED = /^(?:v\d[\w.-]*|\d+\.[\dxX*][\w.-]*|\d+\.?x|\d{4}-\d{2}-\d{2})$/
const NAMED =
  /^(?:latest|stable|current|next|canary|nightly|edge|main|master|dev|devel|trunk|legacy|old|previous|archived)$/i
const OLDER = /^(?:legacy|old|previous|archived)$/i
/** All other names are of versions that are older, or yet to come. */
const CURRENT = /^(?:latest|stable|current)$/i

/** The version in a page URL, in lower case, or null. */
export function versionInUrl(url: string): string | null {
  const from = url.indexOf('//') + 2
  const parts = url.slice(from).split(/[?#]/, 1)[0]?.split('/') ?? []
  const label = parts[0]?.split('.', 1)[0] ?? ''
  if (/^v\d+$/.test(label)) return label
  const versions = parts.slice(1).filter((part) => NAMED.test(part) || isNumbered(part))
  // `/legacy/v1/` is of v1.
  const version = OLDER.test(versions[0] ?? '') ? (versions.find(isNumbered) ?? versions[0]) : versions[0]
  return version?.toLowerCase() ?? null
}

/** The version of a page of a segment: in its URL, or else the older one that its banner or canonical link tells. */
export const versionOfPage = (segment: Segment, page: number): string | null =>
  versionInUrl(segment.url(page)) ?? segment.toldVersion(page)

/**
 * True if a page whose URL has `version` (null: none) belongs to the requested version. A request for `2` or `2.x`
 * matches the whole line, and one for `2.1.4` matches `2.1`. A request for the latest version also matches pages
 * without one.
 */
export function isOfVersion(version: string | null, asked: string): boolean {
  const wanted = asked.trim().toLowerCase()
  if (CURRENT.test(wanted)) return version === null || CURRENT.test(version)
  if (version === null) return false
  if (version === wanted) return true
  const [given, want] = [parseVersion(plain(version)), parseVersion(plain(wanted))]
  return given !== null && want !== null && (isOfLine(given, want) || isOfLine(want, given))
}

const isNumbered = (part: string): boolean => NUMBERED.test(part) && parseVersion(plain(part)) !== null

/** `5x` and `5.x` mean the line of 5. */
function plain(version: string): string {
  return version.replace(/\.?x$/i, '')
}
