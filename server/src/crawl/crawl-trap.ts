export type Trap = 'too_long' | 'too_deep' | 'repeating_path' | 'calendar' | 'query_variants'

/**
 * Maximum URL length in characters. Sources: the longest of 50,000 documentation URLs in common sitemaps is shorter;
 * browsers once had this limit; it fits a PostgreSQL index row (2,704 bytes).
 */
export const MAX_URL_LENGTH = 2_000

/** Overlong URLs listed per source, each clipped, so that the owner sees the omissions. */
export const MAX_LONG_URLS = 20

export const TRAP_SENTENCES: Record<Trap, string> = {
  too_long: `The URL is longer than ${MAX_URL_LENGTH} characters. Only the first ${MAX_LONG_URLS} such URLs of a source are listed.`,
  too_deep: 'The URL has more path segments than those of pages meant for readers.',
  repeating_path: 'The path repeats itself, as links that are resolved wrongly do without end.',
  calendar: 'The URL belongs to a calendar, which goes on without end.',
  query_variants: 'Too many variants of this page that differ in their query alone were found.',
}

const MAX_SEGMENTS = 20

/** Repeats of one path segment: `/docs/guide/docs/guide/docs`. */
const MAX_REPEATS = 2

/** Query variants per path. Some are real pages (versions, tabs, listings), but freely combined filters are not. */
const MAX_QUERY_VARIANTS = 60

const YEAR_MONTH = /(?:^|[/=_-])((?:19|20|21)\d\d)[/_-]?(0?[1-9]|1[0-2])(?=$|[/&_-])/
const CALENDAR = /\b(?:calendar|calendario|kalender|events?|agenda|schedule|ical)\b/i
const DATE_PARAMETERS = /[?&](?:year|month|week|day|date|tribe-bar-date|ical)=/i

type Config = { now?: () => number; maxQueryVariants?: number }

/** Detects traps over one crawl. `of` expects normalized URLs, and must be called once for each. */
export function createTrapDetector({ now = Date.now, maxQueryVariants = MAX_QUERY_VARIANTS }: Config = {}) {
  const variants = new Map<string, number>()
  return {
    of(url: URL): Trap | null {
      if (isTooLong(url.href)) return 'too_long'
      const segments = url.pathname.split('/').filter(Boolean)
      if (segments.length > MAX_SEGMENTS) return 'too_deep'
      if (repeats(segments)) return 'repeating_path'
      if (isCalendar(url, new Date(now()).getUTCFullYear())) return 'calendar'
      if (url.search === '') return null
      const seen = (variants.get(url.pathname) ?? 0) + 1
      variants.set(url.pathname, seen)
      return seen > maxQueryVariants ? 'query_variants' : null
    },
  }
}

function repeats(segments: string[]): boolean {
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    counts.set(segment, count)
    // Numbers repeat in dates and versions.
    if (count > MAX_REPEATS && !/^\d+$/.test(segment)) return true
  }
  return false
}

/** Detects calendars by an implausible year, or by a date and a word: posts and releases have dates too. */
function isCalendar({ pathname, search }: URL, thisYear: number): boolean {
  const year = YEAR_MONTH.exec(pathname + search)?.[1]
  if (year !== undefined && (Number(year) > thisYear + 1 || Number(year) < 1990)) return true
  return CALENDAR.test(pathname) && (year !== undefined || DATE_PARAMETERS.test(search))
}

/** No normalized URL contains it, so a clipped URL never equals another page's. */
const ELLIPSIS = '…'

/** Clips a URL for listing to `MAX_URL_LENGTH` characters, including an ellipsis. */
export function clipUrl(url: string): string {
  return url.length > MAX_URL_LENGTH ? url.slice(0, MAX_URL_LENGTH - 1) + ELLIPSIS : url
}

/** Returns whether a URL exceeds the limit, or was clipped already. */
export function isTooLong(url: string): boolean {
  // Parsing percent-encodes the ellipsis, which makes a clipped URL longer.
  return url.length > MAX_URL_LENGTH || (url.length === MAX_URL_LENGTH && url.endsWith(ELLIPSIS))
}
