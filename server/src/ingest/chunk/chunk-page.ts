import type { Block, ExtractedPage } from '#ingest/extract/extracted-page.ts'
import type { Chunk, CodeBlock } from '#search/page.ts'
import { draftPassages } from './draft-passages.ts'

/**
 * Divides a page into passages: one begins at each heading, and where the one before is full; code fences and tables stay
 * whole unless they alone are longer than a passage may be. A passage is of one section, however short that is, so that
 * its heading and its anchor are true of every line (see `draftPassages`). Passages cover everything but blank lines, in order, without overlap. A page without text gives none.
 */
export function chunkPage(page: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Chunk[] {
  const code = page.blocks.filter((block) => block.kind === 'code')
  let next = 0
  return draftPassages(page).map(({ start, end, headings, anchor, above }) => {
    while (next < code.length && (code[next]?.codeEnd ?? 0) <= start) next++
    const own = { start, end, headings, anchor, code: codeWithin(code, next, start, end) }
    return above.length > 0 ? { ...own, above } : own
  })
}

/** Code inside `[start, end)`, from the block `first` on; of a fence that was divided, the part that is inside. */
function codeWithin(code: (Block & { kind: 'code' })[], first: number, start: number, end: number): CodeBlock[] {
  const inside: CodeBlock[] = []
  for (let i = first; i < code.length; i++) {
    const block = code[i]
    if (block === undefined || block.codeStart >= end) break
    const part = {
      start: Math.max(start, block.codeStart),
      end: Math.min(end, block.codeEnd),
      language: block.language,
    }
    if (part.end > part.start) inside.push(part)
  }
  return inside
}
