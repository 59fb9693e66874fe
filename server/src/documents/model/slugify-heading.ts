/** Returns a heading's fragment on Markdown hosts: lower case, without punctuation, hyphens for spaces. */
export function slugifyHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
