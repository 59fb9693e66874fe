import { sectionAddress } from '#lib/addresses/page-address.ts'
import type { Chunk } from './page.ts'
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
}: ChunkOfPage): Pick<Passage, 'heading' | 'url' | 'start' | 'passage' | 'code' | 'turns'> {
  const { start, headings, anchor, code, turns = [] } = chunk
  return {
    heading: headings.join(' › '),
    url: sectionAddress(url, anchor),
    turns: turns.map((turn) => ({ start: turn.start - start, url: sectionAddress(url, turn.anchor) })),
    start,
    passage: markdown.slice(start, end),
    code: code
      .filter((block) => block.end <= end)
      .map((block) => ({
        language: block.language,
        text: markdown.slice(block.start, block.end),
        start: block.start - start,
      })),
  }
}

/** Address of the text at an offset in a passage. */
export function addressInPassage({ url, turns }: Pick<Passage, 'url' | 'turns'>, at: number): string {
  return turns.findLast(({ start }) => start <= at)?.url ?? url
}
