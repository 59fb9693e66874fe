/** The fragment that Markdown hosts give a heading: lower case, punctuation dropped, blanks to hyphens. */
export function slugifyHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
