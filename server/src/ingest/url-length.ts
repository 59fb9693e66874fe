/**
 * Characters of a page's URL. Longer than the longest of 50,000 documentation URLs in common sitemaps, what browsers once
 * took, and what fits the row of an index in PostgreSQL (2,704 bytes).
 */
export const MAX_URL_LENGTH = 2_000

/** URLs beyond that length that are listed for a source, each clipped, so that their owner sees what is left out. */
export const MAX_LONG_URLS = 20

/** No normalised URL contains it, so that a clipped URL is never taken for another page. */
const ELLIPSIS = '…'

/** A URL as it is listed: at most `MAX_URL_LENGTH` characters, and an ellipsis for the rest. */
export function clipUrl(url: string): string {
  return url.length > MAX_URL_LENGTH ? url.slice(0, MAX_URL_LENGTH - 1) + ELLIPSIS : url
}

/** Whether a URL is longer than that of a page, also where it is clipped already. */
export function isTooLong(url: string): boolean {
  // A clipped one grows by the percent-encoding of its ellipsis when it is parsed.
  return url.length > MAX_URL_LENGTH || url.endsWith(ELLIPSIS)
}
