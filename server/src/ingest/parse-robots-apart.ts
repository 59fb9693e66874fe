import type { RobotsRules } from '#net/robots-rules.ts'
import type { PagePool } from './page-pool.ts'

/** Parses robots.txt files in the processes that read pages, at the cost of no crawl in particular. */
export function parseRobotsApart(pool: Pick<PagePool, 'share'>) {
  const reader = pool.share()
  return async (bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null> =>
    reader.readList({ list: 'robots', url, bytes, productToken })
}
