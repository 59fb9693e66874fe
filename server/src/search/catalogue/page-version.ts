import type { Segment } from '#search/segment/open-segment.ts'
import { splitRef } from '#lib/addresses/page-address.ts'
import { compareVersions, isOfLine, parseVersion } from '#lib/text/version.ts'

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
  const versions = [plainRef(splitRef(url)[1]), ...parts.slice(1)].filter(isVersionPart)
  // `/legacy/v1/` is of v1.
  const version = OLDER.test(versions[0] ?? '') ? (versions.find(isNumbered) ?? versions[0]) : versions[0]
  return version?.toLowerCase() ?? null
}

/**
 * The versions of a page of a segment: the one in its URL, or else the older one that its banner or canonical link
 * tells, then those in which the same page has the same text.
 */
export function versionsOfPage(segment: Segment, page: number, url = segment.url(page)): [string | null, ...string[]] {
  const others = segment.copies(page).map(versionOfCopy)
  return [versionInUrl(url) ?? segment.toldVersion(page), ...others]
}

/** Parts of a path that name a version: one, or two as in `/src/tag/v1.0/`. */
const MOST_PARTS = 2

/**
 * Where the address of the same page in another version differs: `4+1/v2` if `v2` replaces one part after the first
 * four. Null for the address of another page.
 */
export function copyAt(url: string, other: string): string | null {
  const [own, parts] = [partsOf(url), partsOf(other)]
  const at = parts.findIndex((part, index) => part !== own[index])
  if (at < 3) return null
  let same = 0
  while (same < Math.min(own.length, parts.length) - at && own.at(-1 - same) === parts.at(-1 - same)) same++
  const [from, to] = [own.slice(at, own.length - same), parts.slice(at, parts.length - same)]
  const [before, after] = [from, to].map((each) => plainRef(each.at(-1) ?? ''))
  if (!isVersionPart(after ?? '') || Math.max(from.length, to.length) > MOST_PARTS) return null
  return from.length === 0 || isVersionPart(before ?? '') ? `${at}+${from.length}/${to.join('/')}` : null
}

/** The address of a copy (`copyAt`) of the page at a URL. */
export function addressOfCopy(url: string, copy: string): string {
  const [place = '', ...parts] = copy.split('/')
  const [at, count] = place.split('+').map(Number)
  return partsOf(url)
    .toSpliced(at ?? 0, count ?? 0, ...parts)
    .join('/')
    .replace(/\/(?=[?&]h=)/, '')
}

/** The parts of an address between slashes. A branch or tag in its query is the last. */
function partsOf(url: string): string[] {
  const [address, ref] = splitRef(url)
  return [...address.split('/'), ...(ref === '' ? [] : [ref])]
}

/** The last part of the branch or tag that a query names (`?h=release%2F2.x`). Other text stays as it is. */
const plainRef = (part: string): string => part.replace(/^[?&]h=(?:.*%2F)?/i, '')

const versionOfCopy = (copy: string): string => plainRef(copy.slice(copy.lastIndexOf('/') + 1)).toLowerCase()

/** The address of a page in the requested version, if it is the same there. */
export function addressInVersion(segment: Segment, page: number, url: string, asked: string | undefined): string {
  if (asked === undefined || isOfVersion(versionsOfPage(segment, page, url)[0], asked)) return url
  const copy = segment.copies(page).find((each) => isOfVersion(versionOfCopy(each), asked))
  return copy === undefined ? url : addressOfCopy(url, copy)
}

/** True if the page at a URL is an older copy of the one at another. */
export const isOlderCopy = (url: string, other: string): boolean =>
  isOlderThan(versionInUrl(url), versionInUrl(other)) && (copyAt(url, other) ?? copyAt(other, url)) !== null

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

/** True if one of the versions is the requested one. */
export const hasVersion = (versions: readonly (string | null)[], asked: string | undefined): boolean =>
  asked === undefined || versions.some((version) => isOfVersion(version, asked))

/**
 * The highest release, if it has more pages than those without a version and those of the current one by name together:
 * the site then keeps its current pages under a number. Else null. `pages` are the numbers of pages by version.
 */
export function latestOf(pages: ReadonlyMap<string | null, number>): string | null {
  let newest: string | null = null
  let current = 0
  for (const [version, count] of pages) {
    if (isOfVersion(version, 'latest')) current += count
    if (compareAges(version, newest) > 0) newest = version
  }
  return newest !== null && (pages.get(newest) ?? 0) > current ? newest : null
}

/** Positive if the first of two versions is a newer release. Names of unreleased versions are not newer than any. */
function compareAges(one: string | null, other: string | null): number {
  const [a, b] = [releaseOf(one), releaseOf(other)]
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1)
  return compareVersions(a, b)
}

function releaseOf(version: string | null) {
  const parsed = version === null ? null : parseVersion(plain(version))
  return parsed?.pre === null ? parsed : null
}

/** True if a page of the first version is an old copy of the same page of the second. */
export function isOlderThan(one: string | null, other: string | null): boolean {
  if (one === other || one === null || CURRENT.test(one)) return false
  if (OLDER.test(one)) return other === null || !OLDER.test(other)
  if (releaseOf(one) === null) return false
  return other === null || CURRENT.test(other) || compareAges(one, other) < 0
}

/** True if a part of a path names a version. */
export const isVersionPart = (part: string): boolean => NAMED.test(part) || isNumbered(part)
const isNumbered = (part: string): boolean => NUMBERED.test(part) && parseVersion(plain(part)) !== null

/** `5x` and `5.x` mean the line of 5. */
function plain(version: string): string {
  return version.replace(/\.?x$/i, '')
}
