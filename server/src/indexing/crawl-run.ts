import { sourceKind } from '@docent/contract/values/source-kinds'
import { GiveUp, type LeasedTransaction } from '#jobs/lease.ts'
import type { Store } from '#store/db.ts'
import { countLeftOut, countPages, countReasons } from '#store/pages/page-report.ts'
import { markPushesRead } from '#store/sources/pushes.ts'
import { type SourceRow, updateSourceRow } from '#store/sources/sources.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'

type Run = { store: Store; held: LeasedTransaction }

/** Starts a crawl, or resumes one interrupted by a crash or a failure. */
export async function beginRun(
  { store, held }: Run,
  source: SourceRow,
  { goOn }: { goOn: boolean },
): Promise<Pick<SourceRow, 'run' | 'crawlUsage'>> {
  if (goOn && source.crawlStatus === 'crawling') return source
  const begun = {
    run: source.run + 1,
    crawlStatus: 'crawling',
    crawlError: null,
    crawlStartedAt: store.clock(),
    crawlUsage: null,
  } as const
  await held(async (tx) => {
    await markPushesRead(tx, source.id)
    await updateSourceRow(tx, source.id, begun)
  })
  return begun
}

/** Completes a crawl with its final usage. Throws `GiveUp` if no page was indexed. */
export async function endRun(
  { store, held }: Run,
  sourceId: string,
  { run, crawlUsage }: Pick<SourceRow, 'run' | 'crawlUsage'>,
): Promise<void> {
  const counts = await countPages(store.read, sourceId, run)
  if (counts.indexed === 0) {
    const [worst] = await countReasons(store.read, sourceId)
    throw new GiveUp(`No page could be indexed. ${worst?.detail ?? 'The site has no pages.'}`)
  }
  const ended = { crawlStatus: 'complete', crawlError: null, crawlUsage, lastIndexedAt: store.clock() } as const
  await held((tx) => updateSourceRow(tx, sourceId, ended))
}

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
