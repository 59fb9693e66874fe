/** Characters of a page that tools read as a whole: some 300,000 words, more than the longest manuals on one page. */
export const MAX_PAGE = 2_000_000

/** The text of a page as far as tools read it. Whole pages go to the search; tools that scan them have a deadline. */
export function boundedPage(markdown: string): string {
  return markdown.length > MAX_PAGE ? markdown.slice(0, MAX_PAGE).toWellFormed() : markdown
}
