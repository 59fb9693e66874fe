import type { Chunk, Turn } from '#search/page.ts'

/** URL fragment of the text from an offset on, in UTF-16 units. */
export type Anchor = { offset: number; anchor: string }

/** Gives each passage the last anchor up to its start, and those inside it as turns. Both lists are sorted. */
export function placeAnchors(chunks: Chunk[], anchors: readonly Anchor[]): Chunk[] {
  let next = 0
  return chunks.map((chunk) => {
    while ((anchors[next]?.offset ?? Infinity) <= chunk.start) next++
    const anchor = anchors[next - 1]?.anchor ?? null
    let end = next
    while ((anchors[end]?.offset ?? Infinity) < chunk.end) end++
    const turns: Turn[] = anchors.slice(next, end).map(({ offset, anchor: turn }) => ({ start: offset, anchor: turn }))
    const anchorAt = (at: number) => turns.findLast(({ start }) => start <= at)?.anchor ?? anchor
    const blocks = chunk.blocks.map((block) =>
      block.kind === 'heading' ? { ...block, anchor: anchorAt(block.start) } : block,
    )
    return { ...chunk, anchor, blocks, ...(turns.length > 0 ? { turns } : {}) }
  })
}
