import { addressesBetween, blocksOf, passageOfPage } from '#documents/library-page.ts'
import type { Library } from '#documents/library.ts'
import type { Passage } from '#search/passage.ts'

/** Characters before a block that can contain its introduction. */
const LEAD = 400

/** Replaces code blocks that the index divided by the whole block from their page, if that is still there. */
export async function withWholeBlocks(library: Library, passages: readonly Passage[]): Promise<Passage[]> {
  return Promise.all(
    passages.map(async (passage) => {
      // A part lacks an opening or closing fence.
      const divided = passage.blocks.find(
        (block) => block.kind === 'code' && (block.codeStart === block.start || block.codeEnd === block.end),
      )
      if (!divided) return passage
      const at = passage.start + divided.start
      const pages = await library.pagesAt([passage.url], { sourceId: passage.sourceId })
      const [page] = await library.open(pages)
      const whole = page && blocksOf(page).find((block) => block.start <= at && at < block.end)
      if (!page || whole?.kind !== 'code') return passage
      const first = Math.min(passage.start, whole.start)
      const start = Math.min(passage.start, Math.max(0, whole.start - LEAD))
      const end = Math.max(passage.start + passage.passage.length, whole.end)
      const made = passageOfPage(page, { start, end, headings: [...passage.headings], anchor: null }, passage)
      const code = made.code.filter((block) => start + block.start >= first)
      // The whole block can begin on an earlier page of a PDF than the passage.
      const [own, ...later] = addressesBetween(page, first, end)
      const turns = later.map((turn) => ({ ...turn, start: turn.start - start }))
      return { ...made, code, url: own?.url ?? passage.url, turns }
    }),
  )
}
