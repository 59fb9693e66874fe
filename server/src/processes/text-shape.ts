import { hash } from 'node:crypto'

/** Characters of a text that are examined. */
const LOOKED_AT = 2_000
/** Minimum remaining characters: lists of links are all alike. */
const LEAST = 40

/**
 * Hash of a text without headings, links and words with digits, so that endlessly generated pages have the same one.
 * Null if little else remains.
 */
export function textShape(markdown: string): string | null {
  const own = markdown
    .slice(0, LOOKED_AT)
    .replace(/^#.*$/gm, '')
    .replace(/\[[^[\]\n]{0,300}\]\([^()\n]{0,300}\)/g, '')
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ')
    .trim()
  return own.length < LEAST ? null : hash('sha256', own, 'base64url').slice(0, 16)
}
