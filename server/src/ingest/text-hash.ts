import { hash } from 'node:crypto'

/** Key of a page's text, and what tells whether it changed: 32 hex digits of SHA-256 over title, line feed, Markdown. */
export function textHash(title: string, markdown: string): string {
  return hash('sha256', `${title}\n${markdown}`, 'hex').slice(0, 32)
}
