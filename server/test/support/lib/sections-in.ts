import type { Section } from '#documents/model/document.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { sectionsOf } from '#documents/model/sections.ts'

/** The sections of a Markdown text. */
export function sectionsIn(markdown: string): Section[] {
  return sectionsOf(markdownBlocks(markdown), markdown.length)
}
