import { fencesOf } from '#library/fences.ts'
import { addressesBetween, blocksBetween } from '#library/library-page.ts'
import { movedBlock } from '#search/passage-of-chunk.ts'
import type { Library } from '#library/library.ts'
import type { Passage, PassageCode } from '#search/passage.ts'

/** Characters before a block that can contain its introduction. */
const LEAD = 400

/**
 * Replaces divided code blocks in passages by the whole block from their page, because the index divides blocks longer
 * than a passage. If the page is gone, the part stays.
 */
export async function withWholeBlocks(library: Library, passages: readonly Passage[]): Promise<Passage[]> {
  return Promise.all(
    passages.map(async (passage) => {
      const divided = passage.code.find((block) => isDivided(passage.passage, block))
      if (!divided) return passage
      const at = passage.start + divided.start
      const page = await library.pageAt(passage.url, { sourceId: passage.sourceId })
      const [opened] = page === null ? [] : await library.open([page])
      const whole = opened && fencesOf(opened.markdown).find(({ start, end }) => start <= at && at < end)
      if (!opened || !whole) return passage
      const start = Math.min(passage.start, Math.max(0, whole.start - LEAD))
      const end = Math.max(passage.start + passage.passage.length, whole.end)
      const moved = (block: PassageCode) => ({ ...block, start: passage.start + block.start - start })
      const { body, text } = whole
      const code = passage.code.map((block) =>
        block === divided ? { ...block, text, start: body - start } : moved(block),
      )
      // The whole block can begin on an earlier page of a PDF than the passage.
      const [first, ...later] = addressesBetween(opened, Math.min(passage.start, whole.start), end)
      const url = first?.url ?? passage.url
      const turns = later.map((turn) => ({ ...turn, start: turn.start - start }))
      const blocks = blocksBetween(opened, { start, end }).map((block) => movedBlock(block, -start))
      return { ...passage, blocks, code, start, url, turns, passage: opened.markdown.slice(start, end) }
    }),
  )
}

/** True if the block lacks an opening or closing fence. */
function isDivided(markdown: string, { text, start: at }: PassageCode): boolean {
  return (
    !/(?:^|\n)[ \t]*(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*\n$/.test(markdown.slice(Math.max(0, at - 200), at)) ||
    !/^\n?[ \t]*(?:`{3,}|~{3,})/.test(markdown.slice(at + text.length, at + text.length + 40))
  )
}
