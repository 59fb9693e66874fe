import { readFileSync } from 'node:fs'

/** Version of the service, from its package. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** The crawler's User-Agent: the product token for robots.txt first, then a link to the page for site owners. */
export function userAgent(publicUrl?: string | null): string {
  const more = publicUrl ? `; +${publicUrl.replace(/\/$/, '')}/docs/crawler` : ''
  return `Docent/${VERSION} (documentation indexer${more})`
}
