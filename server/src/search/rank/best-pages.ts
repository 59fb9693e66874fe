import type { CorpusPart } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import { SLACK, type WindowSearch } from './window-search.ts'

/** Adds the best pages of a window by their field score (BM25+ × coverage) to `byPage`. */
export function findBestPages(window: number, search: WindowSearch): void {
  if (search.prune && !canEnter(window, search)) return
  const { part, cursors, accumulators, filter, byPage } = search
  const { segment, firstPage, windowBits } = part
  const { pageSums, pageCovers, pageTerms } = accumulators
  const first = firstPage + (window << windowBits)
  const end = Math.min(firstPage + segment.pageCount, first + (1 << windowBits))
  pageSums.fill(0, first, end)
  pageCovers.fill(0, first, end)
  pageTerms.fill(0, first, end)
  // Indexed, because the iterator of `for of` costs more than the step, and a callback is an allocation per window.
  for (let at = 0; at < cursors.length; at++) if (cursors[at].window === window) cursors[at].scorePages(accumulators)

  const allowed = filter?.pages.get(segment)
  const { totalCover } = search
  let { threshold } = byPage
  for (let page = first; page < end; page++) {
    const score = weighPage(pageSums[page], pageCovers[page], totalCover)
    if (score <= threshold || allowed?.[page - firstPage] === 0) continue
    if (filter === null || hasPassage(page - firstPage, part, filter)) byPage.add(page, score)
    ;({ threshold } = byPage)
  }
}

/** Score of a page, from the sum over its fields and its cover of the question. */
export function weighPage(sum: number, cover: number, totalCover: number): number {
  return (sum * cover) / totalCover
}

function canEnter(window: number, search: WindowSearch): boolean {
  let bound = 0
  let cover = 0
  let queryTerm = 0
  for (const cursor of search.cursors) {
    if (cursor.window !== window) continue
    bound += cursor.pageBound
    if (cursor.queryTerm !== queryTerm) cover += cursor.cover
    queryTerm = cursor.queryTerm
  }
  return weighPage(bound, cover, search.totalCover) * SLACK >= search.byPage.threshold
}

function hasPassage(page: number, { segment }: CorpusPart, filter: PageFilter): boolean {
  const { pageChunks, chunkCode } = segment
  const allowed = filter.code.get(segment)
  if (allowed === undefined) return true
  for (let chunk = pageChunks[page], end = pageChunks[page + 1]; chunk < end; chunk++)
    if (allowed[chunkCode[chunk]] !== 0) return true
  return false
}
