import { SLACK, type WindowSearch } from './window-search.ts'

/** Adds the pages of a window with the best passages (BM25F) to `byChunk`. */
export function findBestPassages(window: number, search: WindowSearch): void {
  if (search.prune && !canEnter(window, search)) return
  const { part, cursors, accumulators, filter, byChunk } = search
  const { segment, firstPage, firstChunk, windowBits } = part
  const { pageChunks, pageCount } = segment
  const { chunkScores } = accumulators
  const first = window << windowBits
  const last = Math.min(pageCount, first + (1 << windowBits))
  const end = firstChunk + pageChunks[last]
  let at = firstChunk + pageChunks[first]
  chunkScores.fill(0, at, end)
  // Indexed for speed, see `findBestPages`.
  for (let index = 0; index < cursors.length; index++)
    if (cursors[index].window === window) cursors[index].scoreChunks(accumulators)

  const allowed = filter?.pages.get(segment)
  let page = first
  while ((at = firstAbove(byChunk.threshold, chunkScores, at, end)) < end) {
    const chunk = at - firstChunk
    while (page + 1 < last && pageChunks[page + 1] <= chunk) page++
    if (allowed?.[page] !== 0) byChunk.add(firstPage + page, bestPassage(page, search))
    at = firstChunk + pageChunks[page + 1]
  }
}

function canEnter(window: number, { cursors, byChunk: { threshold } }: WindowSearch): boolean {
  let bound = 0
  for (const cursor of cursors) if (cursor.window === window) bound += cursor.chunkBound
  return bound * SLACK >= threshold
}

/** First index from `from` to `end` with a score above `bar`, or `end`. A hot loop: runs once per passage. */
function firstAbove(bar: number, scores: Float32Array, from: number, end: number): number {
  for (let at = from; at < end; at++) if (scores[at] > bar) return at
  return end
}

/** Score of a page's best passage that passes the filter. */
function bestPassage(page: number, { part, accumulators, filter }: WindowSearch): number {
  const { segment, firstChunk } = part
  const { pageChunks, chunkCode } = segment
  const allowed = filter?.code.get(segment)
  let best = 0
  for (let chunk = pageChunks[page], end = pageChunks[page + 1]; chunk < end; chunk++) {
    const score = accumulators.chunkScores[firstChunk + chunk]
    if (score > best && (allowed === undefined || allowed[chunkCode[chunk]] !== 0)) best = score
  }
  return best
}
