import { addressesBetween, blocksBetween, blocksOf } from '#documents/library-page.ts'
import { movedBlock } from '#search/passage-of-chunk.ts'
import type { Library } from '#documents/library.ts'
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
      const divided = dividedIn(passage)
      if (!divided) return passage
      const at = passage.start + divided.start
      const page = await library.pageAt(passage.url, { sourceId: passage.sourceId })
      const [opened] = page === null ? [] : await library.open([page])
      const whole = opened && blocksOf(opened).find(({ start, end }) => start <= at && at < end)
      if (!opened || whole?.kind !== 'code') return passage
      const start = Math.min(passage.start, Math.max(0, whole.start - LEAD))
      const end = Math.max(passage.start + passage.passage.length, whole.end)
      const moved = (block: PassageCode) => ({ ...block, start: passage.start + block.start - start })
      const { codeStart } = whole
      const text = opened.markdown.slice(codeStart, whole.codeEnd)
      const code = passage.code.map((block) =>
        block === divided ? { ...block, text, start: codeStart - start } : moved(block),
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

/** The code block that lacks an opening or closing fence. */
function dividedIn({ blocks, code }: Passage): PassageCode | undefined {
  const divided = blocks.find(
    (block) => block.kind === 'code' && (block.codeStart === block.start || block.codeEnd === block.end),
  )
  return divided?.kind === 'code' ? code.find(({ start }) => start === divided.codeStart) : undefined
}
