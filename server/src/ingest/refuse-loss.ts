import { isUploadUrl } from '#lib/upload-url.ts'
import { GiveUp } from '#jobs/errors.ts'
import type { Store } from '#store/db.ts'
import { countLeftOut, countPages } from '#store/pages.ts'
import type { SourceRow } from '#store/sources.ts'

/** Kinds whose reading is the whole truth, as that of an upload is: a commit, a file. What is not in it is gone. */
const WHOLE: ReadonlySet<SourceRow['type']> = new Set(['repo', 'pdf'])

/**
 * Throws `GiveUp` where a refresh would lose more than half of what is published: a site that was moved, broken or shut
 * in answers every page with an error, and what was read before is worth more than that. The version before serves on.
 * Pages that the source's patterns leave out now are no loss.
 */
export async function refuseLoss(
  { read }: Pick<Store, 'read'>,
  { id, url, type, publishedPages: before }: Pick<SourceRow, 'id' | 'url' | 'type' | 'publishedPages'>,
  run: number,
): Promise<void> {
  if (WHOLE.has(type) || isUploadUrl(url)) return
  const { indexed: now } = await countPages(read, id, run)
  const leftOut = await countLeftOut(read, id)
  if ((now + leftOut) * 2 >= before) return
  const left = now === 1 ? '1 was' : `${now} were`
  throw new GiveUp(
    `The refresh was not taken over: of ${before} pages only ${left} still there to be read. If the source has really become so small, remove it and add it again.`,
  )
}
