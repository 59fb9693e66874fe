import { elementAt } from '#lib/element-at.ts'
import type { Catalogue } from '#search/catalogue/catalogue.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'
import { typeFilter } from '#search/catalogue/part-type.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import { pathMatcher } from '#search/rank/page-filter.ts'
import type { Scope } from './library.ts'

/** Pages of a source. A page that the mask has as 0 is excluded. */
type Pages = { part: SourceSegment; catalogue: Catalogue; mask: Uint8Array | undefined }

/** Tests the pages of a source against a scope. */
export function scopeFilter(
  { part, catalogue, mask }: Pages,
  { path, version, type }: Pick<Scope, 'path' | 'version' | 'type'>,
): (page: number) => boolean {
  const matches = path === undefined ? null : pathMatcher(path)
  const allowed = catalogue.versions.map((each) => version === undefined || isOfVersion(each, version))
  const hasType = typeFilter(part, type)
  return (page) =>
    mask?.[page] !== 0 &&
    allowed[elementAt(catalogue.pageVersions, page)] === true &&
    (hasType === null || hasType(page)) &&
    (matches === null || matches(part.segment.url(page)))
}
