import { sourceKind } from '@docent/contract/source-kinds'
import { isUploadUrl } from '#lib/addresses/upload-url.ts'
import { GiveUp } from '#jobs/errors.ts'
import type { Store } from '#store/db.ts'
import { countLeftOut, countPages } from '#store/pages/pages.ts'
import type { SourceRow } from '#store/sources/sources.ts'

/**
 * Throws `GiveUp` if a refresh would lose more than half of the published pages. A site that was moved, broken or
 * closed answers every page with an error, and its previous version is worth more. Pages excluded by changed patterns
 * do not count as lost.
 */
export async function refuseLoss(
  { read }: Pick<Store, 'read'>,
  { id, url, type, publishedPages: before }: Pick<SourceRow, 'id' | 'url' | 'type' | 'publishedPages'>,
  run: number,
): Promise<void> {
  // Uploads are always read completely.
  if (sourceKind(type).isWhole || isUploadUrl(url)) return
  const { indexed: now } = await countPages(read, id, run)
  const leftOut = await countLeftOut(read, id)
  if ((now + leftOut) * 2 >= before) return
  const left = now === 1 ? '1 was' : `${now} were`
  throw new GiveUp(
    `The refresh was not taken over: of ${before} pages only ${left} still there to be read. If the source has really become so small, remove it and add it again.`,
  )
}
