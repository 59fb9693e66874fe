import type { Block, Section, Span } from './document.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { sectionsOf } from './sections.ts'

/** Code of a text. The span includes its fences, and `body` is the offset of `text`. */
export type Code = Span & { language: string | null; text: string; body: number }

/** The code blocks of a Markdown text, in order. An unclosed fence extends to the end. */
export function codeOf(markdown: string): Code[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return []
  return codeIn(markdown, markdownBlocks(markdown))
}

/** The code among the blocks of a text, in order. */
export function codeIn(text: string, blocks: readonly Block[]): Code[] {
  return blocks.flatMap((block): Code[] => {
    if (block.kind !== 'code') return []
    const { start, end, codeStart, codeEnd, language } = block
    return [{ start, end, language, text: text.slice(codeStart, codeEnd), body: codeStart }]
  })
}

/** Replaces each code block of a text with a blank line. */
export function withoutCode(markdown: string): string {
  const code = codeOf(markdown)
  if (code.length === 0) return markdown
  const parts = code.map(({ start }, at) => markdown.slice(code[at - 1]?.end ?? 0, start))
  return [...parts, markdown.slice(code.at(-1)?.end ?? 0)].join('\n\n')
}

/** The sections of a Markdown text that is a part of a page. */
export function sectionsIn(markdown: string): Section[] {
  return sectionsOf(markdownBlocks(markdown), markdown.length)
}
