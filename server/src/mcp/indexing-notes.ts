import type { ServedServer } from '#store/served.ts'
import { note } from './frame.ts'
import type { IndexProgress } from './tool-context.ts'

/** While sources are being indexed: from how much the answer was made. Empty afterwards. */
export async function indexingNotes(
  { sources }: Pick<ServedServer, 'sources'>,
  indexProgress: () => Promise<IndexProgress>,
): Promise<string[]> {
  const busy = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  if (!busy) return []
  const { indexed, found } = await indexProgress()
  const count = new Intl.NumberFormat('en')
  return [
    note(
      `Still indexing: answered from ${count.format(indexed)} of ${count.format(found)} pages found so far. Ask again later for more.`,
    ),
  ]
}
