import { fencesOf } from '#library/fences.ts'
import type { Library } from '#library/library.ts'
import type { Passage } from '#search/passage.ts'

/** Characters before a block that can contain its introduction. */
const LEAD = 400

/**
 * Replaces divided code blocks in passages by the whole block from their page, because the index divides blocks longer
 * than a passage. If the page is gone, the part stays.
 */
export async function withWholeBlocks(library: Library, passages: readonly Passage[]): Promise<Passage[]> {
  return Promise.all(
    passages.map(async (passage) => {
      const divided = passage.code.find(({ text }) => isDivided(passage.passage, text))
      if (!divided) return passage
      const page = await library.pageAt(passage.url, { sourceId: passage.sourceId })
      const [opened] = page === null ? [] : await library.open([page])
      const whole = opened && fencesOf(opened.markdown).find(({ text }) => text.includes(divided.text))
      if (!opened || !whole) return passage
      const code = passage.code.map((block) => (block === divided ? { ...block, text: whole.text } : block))
      return { ...passage, code, passage: opened.markdown.slice(Math.max(0, whole.start - LEAD), whole.end) }
    }),
  )
}

/** True if the block lacks an opening or closing fence. */
function isDivided(markdown: string, code: string): boolean {
  const at = markdown.indexOf(code)
  if (at < 0) return true
  return (
    !/(?:^|\n)[ \t]*(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*\n$/.test(markdown.slice(Math.max(0, at - 200), at)) ||
    !/^\n?[ \t]*(?:`{3,}|~{3,})/.test(markdown.slice(at + code.length, at + code.length + 40))
  )
}
