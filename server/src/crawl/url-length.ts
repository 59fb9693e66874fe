/**
 * Maximum URL length in characters. Sources: the longest of 50,000 documentation URLs in common sitemaps is shorter;
 * browsers once had this limit; it fits a PostgreSQL index row (2,704 bytes).
 */
export const MAX_URL_LENGTH = 2_000

/** Overlong URLs listed per source, each clipped, so that the owner sees the omissions. */
export const MAX_LONG_URLS = 20

/** No normalized URL contains it, so a clipped URL never equals another page's. */
const ELLIPSIS = '…'

/** Clips a URL for listing to `MAX_URL_LENGTH` characters, including an ellipsis. */
export function clipUrl(url: string): string {
  return url.length > MAX_URL_LENGTH ? url.slice(0, MAX_URL_LENGTH - 1) + ELLIPSIS : url
}

/** Returns whether a URL exceeds the limit, or was clipped already. */
export function isTooLong(url: string): boolean {
  // Parsing percent-encodes the ellipsis, which makes a clipped URL longer.
  return url.length > MAX_URL_LENGTH || url.endsWith(ELLIPSIS)
}
