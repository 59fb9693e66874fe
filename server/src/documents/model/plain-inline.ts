/** Strips marks from inline Markdown. Keeps link and image texts; removes URLs and emphasis. */
export function plainInline(markdown: string): string {
  if (!/[[*`~]/.test(markdown)) return markdown
  return markdown
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|~~|`+/g, '')
    .replace(/(^|\s)\*(\S[^*]*)\*/g, '$1$2')
}
