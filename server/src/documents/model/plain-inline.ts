import { linkLabels } from '#lib/text/replace-links.ts'

/** Strips marks from inline Markdown. Keeps link and image texts; removes URLs and emphasis. */
export function plainInline(markdown: string): string {
  if (!/[[*`~]/.test(markdown)) return markdown
  return markdown
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|~~|`+/g, '')
    .replace(/(^|\s)\*(\S[^*]*)\*/g, '$1$2')
}

/** Text of a heading without the markup of links, code, emphasis and escapes. */
export function plainHeading(text: string): string {
  return linkLabels(text.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, ''))
    .replaceAll(/\\(?=[\\`*_{}[\]()#+.!<>|~-])/g, '')
    .replaceAll(/`+|\*\*/g, '')
    .trim()
}

/** Returns a heading's fragment on Markdown hosts: lower case, without punctuation, hyphens for spaces. */
export function slugifyHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
