import type { Chunk } from '#search/page.ts'
import type { Anchor } from './sources/source-document.ts'

/** Gives each passage the fragment that holds where it begins, in place of those of its headings. Both are in order. */
export function placeAnchors(chunks: Chunk[], anchors: readonly Anchor[]): Chunk[] {
  let next = 0
  return chunks.map(({ above: _, ...chunk }) => {
    while ((anchors[next]?.offset ?? Infinity) <= chunk.start) next++
    return { ...chunk, anchor: anchors[next - 1]?.anchor ?? null }
  })
}
