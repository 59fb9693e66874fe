/**
 * Maximum characters for tools that read a whole page: about 300,000 words, more than the longest single-page manuals.
 */
export const MAX_PAGE = 2_000_000

/** Truncates a page for tools, which have a deadline. Search uses the whole page. */
export function boundedPage(markdown: string): string {
  return markdown.length > MAX_PAGE ? markdown.slice(0, MAX_PAGE).toWellFormed() : markdown
}
