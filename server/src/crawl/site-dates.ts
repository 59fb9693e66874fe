import { isOfTextFormat } from '#readers/text-hash.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { SourceRow } from '#store/sources/sources.ts'

/** What refreshes of a source have learnt about the dates of its sitemaps, and what the last one has read. */
export type RefreshState = {
  /** True if changed pages had changed dates, and none an unchanged one. Null: no page has changed yet. */
  trusted: boolean | null
  /** Pages that had not changed, and those of them that were not fetched. */
  unchanged: number
  notFetched: number
  /** The source is indexed anew (`READ_ALL`). */
  isAnew?: true
}

/** The state that the last refresh of a source has left. */
export const readRefreshState = ({ refreshState }: Pick<SourceRow, 'refreshState'>): RefreshState | null =>
  refreshState === null ? null : (JSON.parse(refreshState) as RefreshState)

/** Many dates are days, of any time zone. A page can change again within its day. */
const SETTLED_MS = 2 * 24 * 60 * 60 * 1000
/** One of so many unchanged pages is fetched all the same, another one each time. */
const CHECKED = 50

export type SiteDates = ReturnType<typeof createSiteDates>

/** `isScheduled`: nobody asked for the refresh, so that it leaves pages unread that their server calls fresh. */
type Options = { run: number; trusted: boolean | null; now: number; isScheduled: boolean; isAnew?: boolean }

/**
 * Dates of pages in the sitemaps of a site. A refresh leaves pages with unchanged dates unread, once such dates have
 * shown to change with the pages: many sites have dates that never change.
 */
export function createSiteDates({ run, trusted, now, isScheduled, isAnew = false }: Options) {
  const dates = new Map<string, number>()
  const state: RefreshState = { trusted, unchanged: 0, notFetched: 0 }
  const hasSameDate = ({ url, siteDate }: PageToGo) => siteDate !== null && dates.get(url) === siteDate
  const isKnown = ({ state: pageState, textHash }: PageToGo) => pageState === 'indexed' && isOfTextFormat(textHash)
  return {
    state,
    /** No page may be left unread. */
    isAnew,
    /** A page can be in a sitemap and in a feed. */
    note: (url: string, date: number) => void dates.set(url, Math.max(date, dates.get(url) ?? 0)),
    /** The date to keep with a page that is fetched now. Null without one, or if the page can change within its day. */
    settledDateOf({ url }: Pick<PageToGo, 'url'>): number | null {
      const date = dates.get(url) ?? null
      return date !== null && date <= now - SETTLED_MS ? date : null
    },
    /** True if the page need not be fetched. */
    isUnchanged(page: PageToGo): boolean {
      if (isAnew || page.depth === 0 || !isKnown(page)) return false
      const isFresh = isScheduled && page.freshUntil !== null && page.freshUntil > now
      const isChecked = (page.id + run) % CHECKED === 0
      const isTrusted = trusted === true && state.trusted === true && !isChecked && hasSameDate(page)
      if (!isFresh && !isTrusted) return false
      state.unchanged += 1
      state.notFetched += 1
      return true
    },
    /** True if the page has not been read yet, or had another date then. */
    hasNews: (page: PageToGo): boolean =>
      page.state === 'queued' || (page.siteDate !== null && dates.has(page.url) && !hasSameDate(page)),
    /** Learns from an indexed page that was fetched. One changed page with an unchanged date ends the trust. */
    learn(page: PageToGo, hasChanged: boolean): void {
      if (!isKnown(page)) return
      if (!hasChanged) state.unchanged += 1
      else if (hasSameDate(page)) state.trusted = false
      else if (page.siteDate !== null && dates.has(page.url)) state.trusted ??= true
    },
  }
}
