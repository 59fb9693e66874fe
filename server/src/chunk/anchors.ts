import type { Chunk, Turn } from '#search/page.ts'

/** URL fragment of the text from an offset on, in UTF-16 units. */
export type Anchor = { offset: number; anchor: string }

/**
 * Replaces the heading anchors of passages: each gets the last anchor at or before its start, and those inside it as
 * turns. Both lists are sorted.
 */
export function placeAnchors(chunks: Chunk[], anchors: readonly Anchor[]): Chunk[] {
  let next = 0
  return chunks.map(({ above: _, ...chunk }) => {
    while ((anchors[next]?.offset ?? Infinity) <= chunk.start) next++
    const anchor = anchors[next - 1]?.anchor ?? null
    let end = next
    while ((anchors[end]?.offset ?? Infinity) < chunk.end) end++
    const turns: Turn[] = anchors.slice(next, end).map(({ offset, anchor: turn }) => ({ start: offset, anchor: turn }))
    return turns.length > 0 ? { ...chunk, anchor, turns } : { ...chunk, anchor }
  })
}

/**
 * Offsets of anchors after markup was removed from a text. `after` must be a subsequence of `before`; otherwise the
 * anchors are returned as they are. Matches greedily, so an offset just after a removed part can be a few characters late.
 */
export function shiftAnchors(anchors: readonly Anchor[], before: string, after: string): readonly Anchor[] {
  if (before.length === after.length) return anchors
  const shifted: Anchor[] = []
  let kept = 0
  let at = 0
  for (const { offset, anchor } of anchors) {
    for (; at < offset && at < before.length; at++) if (before.charCodeAt(at) === after.charCodeAt(kept)) kept++
    shifted.push({ offset: kept, anchor })
  }
  for (; at < before.length; at++) if (before.charCodeAt(at) === after.charCodeAt(kept)) kept++
  return kept === after.length ? shifted : anchors
}
