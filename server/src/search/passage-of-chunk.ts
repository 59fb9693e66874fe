import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { Block } from '#documents/model/document.ts'
import { joinHeadings } from '#documents/model/sections.ts'
import { type Chunk, codeIn } from './page.ts'
import type { Passage } from './passage.ts'

type ChunkOfPage = {
  /** URL of the page without fragment. */
  url: string
  markdown: string
  chunk: Chunk
  /** End of the passage in the Markdown, if it is cut before the end of the chunk. */
  end?: number
}

/** The text of a chunk as a passage, with its place. Omits code blocks that the end of the passage cuts. */
export function passageOfChunk({
  url,
  markdown,
  chunk,
  end = chunk.end,
}: ChunkOfPage): Pick<Passage, 'headings' | 'heading' | 'url' | 'start' | 'passage' | 'blocks' | 'code' | 'turns'> {
  const { start, headings, anchor, turns = [] } = chunk
  const blocks = chunk.blocks.flatMap((block) => cutBlock(block, end) ?? [])
  return {
    headings,
    heading: joinHeadings(headings),
    url: sectionAddress(url, anchor),
    turns: turns.map((turn) => ({ start: turn.start - start, url: sectionAddress(url, turn.anchor) })),
    start,
    passage: markdown.slice(start, end),
    blocks: blocks.map((block) => movedBlock(block, -start)),
    code: codeIn(blocks).map((block) => ({
      language: block.language,
      text: markdown.slice(block.start, block.end),
      start: block.start - start,
    })),
  }
}

/** A block up to an offset. Null if nothing is left, and for code, which is no use in part. */
function cutBlock(block: Block, end: number): Block | null {
  if (block.end <= end) return block
  return block.start >= end || block.kind === 'code' ? null : { ...block, end }
}

/** A block with its offsets moved. */
export function movedBlock(block: Block, by: number): Block {
  const moved = { ...block, start: block.start + by, end: block.end + by }
  return moved.kind === 'code' ? { ...moved, codeStart: moved.codeStart + by, codeEnd: moved.codeEnd + by } : moved
}

/** Address of the text at an offset in a passage. */
export function addressInPassage({ url, turns }: Pick<Passage, 'url' | 'turns'>, at: number): string {
  return turns.findLast(({ start }) => start <= at)?.url ?? url
}
