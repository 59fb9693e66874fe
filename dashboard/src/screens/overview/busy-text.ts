import type { Output } from '@docent/sdk'
import { countsOf } from '../../lib/counts.ts'
import { count, left, number } from '../../lib/format.ts'

type Source = Parameters<typeof countsOf>[0][number] & Pick<Output<'servers.get'>['sources'][number], 'crawlStatus'>
type Speed = Pick<Output<'servers.progress'>, 'etaSeconds' | 'pagesPerSecond'>

/** How far indexing is, in words. Before the first page is found, why there is nothing to count. */
export function busyText(sources: readonly Source[], progress: Speed | null): string {
  const { found, indexed } = countsOf(sources)
  if (found === 0)
    return sources.some(({ crawlStatus }) => crawlStatus === 'crawling') ? 'Looking for pages' : 'Waits for its turn'
  const eta = progress?.etaSeconds ?? null
  const speed = progress?.pagesPerSecond ?? null
  const parts = [
    eta === null ? null : `${left(eta)} left`,
    `${number(indexed)} of ${count(found, 'page')}`,
    speed === null ? null : `${number(speed)} pages/s`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}
