import type { SearchRequest } from '#search/passage.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { CatalogueOf } from './catalogue.ts'
import { kindMask } from './page-kind.ts'
import { isOfVersion } from './page-version.ts'
import { typeFilter } from './part-type.ts'

/** By page of each segment: 0 if the request's kinds, version and type exclude it. */
export type PageMasks = ReadonlyMap<Segment, Uint8Array>

/** Masks for a request's `kinds`, `version` and `type`. Null if they exclude no page. */
export async function pageMasks(
  catalogueOf: CatalogueOf,
  parts: readonly SourceSegment[],
  { kinds, version, type }: Pick<SearchRequest, 'kinds' | 'version' | 'type'>,
): Promise<PageMasks | null> {
  const isTyped = parts.some((part) => typeFilter(part, type) !== null)
  if (kinds === undefined && version === undefined && !isTyped) return null
  const masks = new Map<Segment, Uint8Array>()
  for (const part of parts) {
    const { segment } = part
    const hasType = typeFilter(part, type)
    const catalogue = await catalogueOf(segment)
    const wanted = kinds === undefined ? null : kindMask(kinds)
    const allowed = catalogue.versions.map((each) => version === undefined || isOfVersion(each, version))
    const isLeft = (page: number) =>
      (wanted === null || (catalogue.kinds[page] & wanted) !== 0) &&
      allowed[catalogue.pageVersions[page]] &&
      (hasType === null || hasType(page))
    // A loop, because `Uint8Array.from` takes ten times as long for a large source.
    const mask = new Uint8Array(segment.pageCount)
    for (let page = 0; page < mask.length; page++) if (isLeft(page)) mask[page] = 1
    masks.set(segment, mask)
  }
  return masks
}
