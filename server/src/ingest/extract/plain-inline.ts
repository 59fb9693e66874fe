/** Inline Markdown without its marks: link and image texts stay, addresses and emphasis go. */
export function plainInline(markdown: string): string {
  if (!/[[*`~]/.test(markdown)) return markdown
  return markdown
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|~~|`+/g, '')
    .replace(/(^|\s)\*(\S[^*]*)\*/g, '$1$2')
}
