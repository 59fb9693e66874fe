/** Pages of a source or a server. Found = indexed + skipped + failed + to go. */
export type Counts = { found: number; indexed: number; skipped: number; failed: number; toGo: number }

type Reported = { pagesDiscovered: number; pagesIndexed: number; pagesSkipped: number; pagesFailed: number }

export function countsOf(sources: readonly Reported[]): Counts {
  const sum = (of: (source: Reported) => number) => sources.reduce((total, source) => total + of(source), 0)
  const found = sum(({ pagesDiscovered }) => pagesDiscovered)
  const indexed = sum(({ pagesIndexed }) => pagesIndexed)
  const skipped = sum(({ pagesSkipped }) => pagesSkipped)
  const failed = sum(({ pagesFailed }) => pagesFailed)
  return { found, indexed, skipped, failed, toGo: Math.max(0, found - indexed - skipped - failed) }
}
