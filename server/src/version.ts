import { readFileSync } from 'node:fs'

/** Of the service, from its package. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/**
 * How the crawler introduces itself. The first word is the product token that robots.txt files name; where the service
 * has a public address, whoever runs a site can read there what it does and how to keep it away.
 */
export function userAgent(publicUrl?: string | null): string {
  const more = publicUrl ? `; +${publicUrl.replace(/\/$/, '')}/docs/crawler` : ''
  return `Docent/${VERSION} (documentation indexer${more})`
}
