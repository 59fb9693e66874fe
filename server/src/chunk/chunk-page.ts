import type { Block, ExtractedPage } from '#extract/extracted-page.ts'
import type { Chunk, CodeBlock } from '#search/page.ts'
import { draftPassages } from './draft-passages.ts'

/**
 * Splits a page into passages. A new one begins at each heading, or when the current one is full. Code fences and
 * tables are split only if one alone exceeds the maximum size. Each passage belongs to one section, however short, so
 * that its heading and anchor apply to every line (see `draftPassages`). Passages cover everything but blank lines, in
 * order and without overlap. A page without text gives none.
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

/** Returns code inside `[start, end)`, starting at block `first`; a divided fence is clipped. */
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
