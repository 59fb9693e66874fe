import type { Chunk } from '#search/page.ts'
import type { Anchor } from './sources/source-document.ts'

/** Gives each passage the fragment that holds where it begins, in place of its heading's. Both are in order. */
export function placeAnchors(chunks: Chunk[], anchors: readonly Anchor[]): Chunk[] {
  let next = 0
  return chunks.map((chunk) => {
    while ((anchors[next]?.offset ?? Infinity) <= chunk.start) next++
    return { ...chunk, anchor: anchors[next - 1]?.anchor ?? null }
  })
}
