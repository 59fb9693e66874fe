import type { ServedServer } from '#store/served.ts'

const count = new Intl.NumberFormat('en')

/** While a source is being indexed: from how much the answer was made. Empty afterwards. */
export function indexingNotes({ sources }: Pick<ServedServer, 'sources'>): string[] {
  const busy = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  if (!busy) return []
  const indexed = count.format(sources.reduce((sum, { pagesIndexed }) => sum + pagesIndexed, 0))
  const found = count.format(sources.reduce((sum, { pagesFound }) => sum + pagesFound, 0))
  return [`Still indexing: answered from ${indexed} of ${found} pages found so far. Ask again later for more.`]
}
