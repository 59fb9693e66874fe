import type { ServedServer } from '#store/servers/served.ts'

const count = new Intl.NumberFormat('en')

/** Text for the answers and instructions of a server without sources. */
export const NO_SOURCES = 'This server has no sources yet, so there is nothing to find. Its owner can add one.'

/** During indexing, states how much of each source was searched, or that nothing is indexed yet. */
export function indexingNotes({ sources }: Pick<ServedServer, 'sources'>): string[] {
  if (sources.length === 0) return [NO_SOURCES]
  const busy = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  if (!busy) return []
  const indexed = count.format(sources.reduce((sum, { pagesIndexed }) => sum + pagesIndexed, 0))
  const found = count.format(sources.reduce((sum, { pagesFound }) => sum + pagesFound, 0))
  return [`Still indexing: answered from ${indexed} of ${found} pages found so far. Ask again later for more.`]
}
