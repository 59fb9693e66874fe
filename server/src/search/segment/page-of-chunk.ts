/** The page of a chunk: the last page, from page `from` on, that starts at or before it. Binary search. */
export function pageOfChunk(pageChunks: Uint32Array, chunk: number, from = 0): number {
  let low = from
  let high = pageChunks.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (pageChunks[middle] <= chunk) low = middle
    else high = middle - 1
  }
  return low
}
