import aliases from './language-aliases.json' with { type: 'json' }
import type { SourceType } from '@docent/contract/values/sources'
import { addressPath, isUploadUrl } from '#lib/addresses/page-address.ts'
import { compilePattern, matchesPattern } from '#lib/addresses/path-pattern.ts'
import { memoizeByObject } from '#lib/objects.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { SearchRequest } from '#search/passage.ts'
import type { SourceSegment } from './corpus.ts'
import type { CatalogueOf } from '#search/catalogue/catalogue.ts'
import { kindMask } from '#search/catalogue/page-kind.ts'
import { addressInVersion, addressOfCopy, hasVersion } from '#search/catalogue/page-version.ts'

/** Pages and passages of each segment that a request allows. A missing entry allows all. */
export type PageFilter = {
  /** By page: 0 if excluded. */
  pages: Map<Segment, Uint8Array>
  /** By number of the set of code languages: 0 if excluded. */
  code: Map<Segment, Uint8Array>
}

/** By page of each segment: 0 if the request's kinds, version, type and `within` exclude it. */
export type PageMasks = ReadonlyMap<Segment, Uint8Array>

/** The filter for a request's `path`, `code` and page masks. Null if it has none. */
export function makePageFilter(
  { path, code, masks }: { path: string | undefined; code: string | true | undefined; masks: PageMasks | null },
  segments: readonly Segment[],
  pathsOf: (segment: Segment) => readonly string[],
): PageFilter | null {
  if (path === undefined && code === undefined && masks === null) return null
  const filter: PageFilter = { pages: new Map(), code: new Map() }
  const matches = path === undefined ? null : pathMatcherOf(path)
  for (const segment of segments) {
    const mask = masks?.get(segment)
    if (mask !== undefined && matches === null) filter.pages.set(segment, mask)
    if (matches !== null) {
      const allowed = new Uint8Array(segment.pageCount)
      for (const [page, pagePath] of pathsOf(segment).entries())
        if (mask?.[page] !== 0 && hasPath(segment, page, matches, pagePath)) allowed[page] = 1
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

/** The first passage of a page that `allowed`, by set of code languages, leaves. -1 if there is none. */
export function firstAllowed({ pageChunks, chunkCode }: Segment, page: number, allowed?: Uint8Array): number {
  for (let chunk = pageChunks[page], end = pageChunks[page + 1]; chunk < end; chunk++)
    if (allowed === undefined || allowed[chunkCode[chunk]] !== 0) return chunk
  return -1
}

const ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(aliases))

/** Databases name their SQL dialects after themselves. */
const DIALECT = /^sql|sql$/

/** Canonical name of a language, for comparison. */
export function languageKey(language: string): string {
  const lower = language.trim().toLowerCase()
  return ALIASES.get(lower) ?? (DIALECT.test(lower) ? 'sql' : lower)
}

/** True if a set of code languages has one of the wanted ones, separated by commas, or any for `true`. */
export function hasCode(set: string, code: true | string): boolean {
  if (set === '') return false
  if (code === true) return true
  const wanted = code.split(',').map(languageKey)
  return set.split(' ').some((language) => wanted.includes(languageKey(language)))
}

/** True if a URL's path starts with `path`, or matches it as a glob if it contains `*` (which also crosses slashes). */
export function pathMatcher(path: string): (url: string) => boolean {
  const matches = pathMatcherOf(path)
  return (url) => matches(pathOf(url))
}

/** The path used to filter a URL. */
export function pathOf(url: string): string {
  return url.includes('?') ? addressPath(url) : (URL.parse(url)?.pathname ?? url)
}

/** Tests a path: by its start, or as a glob if there is a `*`. */
export function pathMatcherOf(path: string): (given: string) => boolean {
  const wanted = path.startsWith('/') || path.startsWith('*') ? path : `/${path}`
  if (!wanted.includes('*')) return (given) => given.startsWith(wanted) || `${given}/` === wanted
  const pattern = compilePattern(`${wanted}$`)
  return (given) => matchesPattern(pattern, given)
}

/** True if the path of a page matches, or that of its copy in another version. */
export const hasPath = (
  segment: Segment,
  page: number,
  matches: (path: string) => boolean,
  own = pathOf(segment.url(page)),
): boolean =>
  matches(own) || segment.copies(page).some((copy) => matches(pathOf(addressOfCopy(segment.url(page), copy))))

/** The address at which a request finds a page: that of its copy, if only this has the version or the path. */
export function requestedAddress(
  segment: Segment,
  page: number,
  url: string,
  { version, path }: Pick<SearchRequest, 'version' | 'path'>,
): string {
  const inVersion = addressInVersion(segment, page, url, version)
  const matches = path === undefined ? null : pathMatcher(path)
  if (matches === null || matches(inVersion)) return inVersion
  return (
    segment
      .copies(page)
      .map((copy) => addressOfCopy(url, copy))
      .find(matches) ?? inVersion
  )
}

/** Paths of a segment's pages. */
export type PathsOf = (segment: Segment) => readonly string[]

/** Paths of a segment's pages, cached: to parse every URL took most of the time of a question with a path. */
export function createPagePaths(): PathsOf {
  return memoizeByObject((segment) => Array.from({ length: segment.pageCount }, (_, page) => pathOf(segment.url(page))))
}

/** Masks for a request's `kinds`, `version`, `type` and `within`. Null if they exclude no page. */
export async function pageMasks(
  { catalogueOf, pathsOf }: { catalogueOf: CatalogueOf; pathsOf: PathsOf },
  parts: readonly SourceSegment[],
  { kinds, version, type, within }: Pick<SearchRequest, 'kinds' | 'version' | 'type' | 'within'>,
): Promise<PageMasks | null> {
  const isTyped = parts.some((part) => typeFilter(part, type) !== null)
  if (kinds === undefined && version === undefined && within === undefined && !isTyped) return null
  const masks = new Map<Segment, Uint8Array>()
  for (const part of parts) {
    const { segment, sourceId } = part
    const paths = within === undefined ? null : pathsOf(segment)
    const hasType = typeFilter(part, type)
    const catalogue = await catalogueOf(segment)
    const wanted = kinds === undefined ? null : kindMask(kinds)
    const allowed = catalogue.versions.map((each) => hasVersion(each, version))
    const isLeft = (page: number) =>
      (wanted === null || (catalogue.kinds[page] & wanted) !== 0) &&
      allowed[catalogue.pageVersions[page]] &&
      (hasType === null || hasType(page)) &&
      (paths === null || within?.(sourceId, paths[page]) === true)
    // A loop, because `Uint8Array.from` takes ten times as long for a large source.
    const mask = new Uint8Array(segment.pageCount)
    for (let page = 0; page < mask.length; page++) if (isLeft(page)) mask[page] = 1
    masks.set(segment, mask)
  }
  return masks
}

/** True if pages of this part can have the type: that of the source, or PDF for a file of an upload. */
export function mayHaveType(part: Pick<SourceSegment, 'type' | 'segment'>, type: SourceType | undefined): boolean {
  // The source type of an upload is that of a site, whatever its files are.
  return isOfType(part, type) || (type === 'pdf' && part.segment.pageCount > 0 && isUploadUrl(part.segment.url(0)))
}

/** Tests the pages of a part that may have the type. Null if all pages have it. */
export function typeFilter(
  part: Pick<SourceSegment, 'type' | 'segment'>,
  type: SourceType | undefined,
): ((page: number) => boolean) | null {
  return isOfType(part, type) ? null : (page) => /\.pdf$/i.test(part.segment.url(page))
}

function isOfType({ type: own }: Pick<SourceSegment, 'type'>, type: SourceType | undefined): boolean {
  return type === undefined || own === type
}
