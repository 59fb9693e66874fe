import { hash } from 'node:crypto'

/**
 * What is made of a page, as four hex digits that its hash ends with. Counts up when pages are divided or read in another
 * way, so that the next refresh takes every text for a new one, and asks for it without conditions. Where it is not
 * counted up, what is unchanged at its source stays as it was made.
 */
export const TEXT_FORMAT = '0002'

/**
 * Key of a page's text, and what tells whether it has to be indexed anew: 28 hex digits of SHA-256 over title, line feed,
 * Markdown, then `TEXT_FORMAT`.
 */
export function textHash(title: string, markdown: string): string {
  return hash('sha256', `${title}\n${markdown}`, 'hex').slice(0, 28) + TEXT_FORMAT
}

/** Whether a text was indexed in this format; one of an earlier program by chance with a probability of 1 in 65,536. */
export function isOfTextFormat(key: string | null): boolean {
  return key?.endsWith(TEXT_FORMAT) ?? false
}
