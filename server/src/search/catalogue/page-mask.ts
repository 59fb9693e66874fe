import type { SearchRequest } from '#search/passage.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { CatalogueOf } from './catalogue.ts'
import { kindMask } from './page-kind.ts'
import { isOfVersion } from './page-version.ts'

/** By page of each segment: 0 if the request's kinds and version exclude it. */
export type PageMasks = ReadonlyMap<Segment, Uint8Array>

/** Masks for a request's `kinds` and `version`. Null if it has neither. */
export async function pageMasks(
  catalogueOf: CatalogueOf,
  segments: readonly Segment[],
  { kinds, version }: Pick<SearchRequest, 'kinds' | 'version'>,
): Promise<PageMasks | null> {
  if (kinds === undefined && version === undefined) return null
  const masks = new Map<Segment, Uint8Array>()
  for (const segment of segments) {
    const catalogue = await catalogueOf(segment)
    const wanted = kinds === undefined ? null : kindMask(kinds)
    const allowed = catalogue.versions.map((each) => version === undefined || isOfVersion(each, version))
    const isLeft = (page: number) =>
      (wanted === null || (catalogue.kinds[page] & wanted) !== 0) && allowed[catalogue.pageVersions[page]]
    // A loop, because `Uint8Array.from` takes ten times as long for a large source.
    const mask = new Uint8Array(segment.pageCount)
    for (let page = 0; page < mask.length; page++) if (isLeft(page)) mask[page] = 1
    masks.set(segment, mask)
  }
  return masks
}
