import { readFileSync } from 'node:fs'

/** Version of the service, from its package. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/**
 * The crawler's User-Agent. The first word is the product token for robots.txt. If the service has a public address,
 * the header links to a page for site owners, which explains the crawler and how to block it.
 */
export function userAgent(publicUrl?: string | null): string {
  const more = publicUrl ? `; +${publicUrl.replace(/\/$/, '')}/docs/crawler` : ''
  return `Docent/${VERSION} (documentation indexer${more})`
}
