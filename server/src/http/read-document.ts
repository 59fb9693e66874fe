import { readFileSync } from 'node:fs'

/** A page of the project's documentation, as Markdown. */
export function readDocument(name: 'account-endpoint.md' | 'crawler.md' | 'private-servers.md'): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
}
