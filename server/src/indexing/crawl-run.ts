import { GiveUp } from '#jobs/errors.ts'
import type { UnderLease } from '#jobs/under-lease.ts'
import type { Store } from '#store/db.ts'
import { countPages, countReasons } from '#store/pages.ts'
import { type SourceRow, updateSource } from '#store/sources.ts'

type Run = { store: Store; held: UnderLease }

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
  await held((tx) => updateSource(tx, source.id, begun))
  return begun
}

/** Completes a crawl. Throws `GiveUp` if no page was indexed. */
export async function endRun({ store, held }: Run, sourceId: string, run: number): Promise<void> {
  const counts = await countPages(store.read, sourceId, run)
  if (counts.indexed === 0) {
    const [worst] = await countReasons(store.read, sourceId)
    throw new GiveUp(`No page could be indexed. ${worst?.detail ?? 'The site has no pages.'}`)
  }
  const ended = { crawlStatus: 'complete', crawlError: null, lastIndexedAt: store.clock() } as const
  await held((tx) => updateSource(tx, sourceId, ended))
}
