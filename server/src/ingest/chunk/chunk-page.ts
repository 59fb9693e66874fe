import type { Block, ExtractedPage } from '#ingest/extract/extracted-page.ts'
import type { Chunk, CodeBlock } from '#search/page.ts'
import { draftPassages } from './draft-passages.ts'

/**
 * Divides a page into passages: a passage begins at a heading or where the one before is full; code fences and tables
 * stay whole unless they alone are longer than a passage may be; a section too small to stand alone takes in the next.
 * Passages cover everything but blank lines, in order, without overlap. A page without text gives none.
 */
export function chunkPage(page: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Chunk[] {
  const code = page.blocks.filter((block) => block.kind === 'code')
  let next = 0
  return draftPassages(page).map(({ start, end, headings, anchor }) => {
    while (next < code.length && (code[next]?.codeEnd ?? 0) <= start) next++
    return { start, end, headings, anchor, code: codeWithin(code, next, start, end) }
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
