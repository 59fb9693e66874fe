import type { Chunk } from '#search/page.ts'

/** URL fragment of the text from an offset on, in UTF-16 units. */
export type Anchor = { offset: number; anchor: string }

/**
 * Replaces the heading anchors of passages: each gets the last anchor at or before its start. Both lists are sorted.
 */
export function placeAnchors(chunks: Chunk[], anchors: readonly Anchor[]): Chunk[] {
  let next = 0
  return chunks.map(({ above: _, ...chunk }) => {
    while ((anchors[next]?.offset ?? Infinity) <= chunk.start) next++
    return { ...chunk, anchor: anchors[next - 1]?.anchor ?? null }
  })
}
