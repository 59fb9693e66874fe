import { hash } from 'node:crypto'

/** As much of a text as is looked at. */
const LOOKED_AT = 2_000
/** Less of its own says nothing: lists of links are all alike. */
const LEAST = 40

/**
 * Equal for texts that differ by their headings, links and words with digits alone, as pages do that are made up without
 * end. Null for a text that has hardly anything else.
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
