import { hash } from 'node:crypto'

/**
 * Version of the text format, as the last four hex digits of a text hash. Increase it when extraction or chunking
 * changes: the next refresh then fetches every page without conditions and indexes it again. Without an increase,
 * unchanged pages keep their old form.
 */
export const TEXT_FORMAT = '0008'

/**
 * Key of a page's text, which changes if the page needs indexing: 28 hex digits of SHA-256 over title, line feed and
 * Markdown, then `TEXT_FORMAT`.
 */
export function textHash(title: string, markdown: string): string {
  return hash('sha256', `${title}\n${markdown}`, 'hex').slice(0, 28) + TEXT_FORMAT
}

/**
 * Returns whether a text has the current format. A key of an older program matches by chance with a probability of 1 in
 * 65,536.
 */
export function isOfTextFormat(key: string | null): boolean {
  return key?.endsWith(TEXT_FORMAT) ?? false
}
