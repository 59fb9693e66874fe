import { readFileSync } from 'node:fs'

/** Of the service, from its package. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** How the crawler introduces itself. The first word is the product token that robots.txt files name. */
export function userAgent(): string {
  return `Docent/${VERSION} (documentation indexer)`
}
