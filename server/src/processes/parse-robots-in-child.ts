import type { RobotsRules } from '#net/robots-rules.ts'
import type { PagePool } from './page-pool.ts'

/** Parses robots.txt files in the page pool, under a share that belongs to no crawl. */
export function parseRobotsInChild(pool: Pick<PagePool, 'share'>) {
  const reader = pool.share()
  return async (bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null> =>
    reader.readList({ list: 'robots', url, bytes, productToken })
}
