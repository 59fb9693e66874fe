import type { SourceType } from '@docent/contract/values/sources'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'

/** True if pages of this part can have the type: that of the source, or PDF for a file of an upload. */
export function mayHaveType(part: Pick<SourceSegment, 'type' | 'segment'>, type: SourceType | undefined): boolean {
  return isOfType(part, type) || (type === 'pdf' && hasFiles(part))
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

/** True for an upload. Its source type is that of a site, whatever its files are. */
function hasFiles({ segment }: Pick<SourceSegment, 'segment'>): boolean {
  return segment.pageCount > 0 && isUploadUrl(segment.url(0))
}
