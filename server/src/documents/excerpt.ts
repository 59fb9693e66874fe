import type { Block } from './model/document.ts'
import { markdownBlocks } from './model/markdown-blocks.ts'

/** A line with only a picture. */
const PICTURE = /^[ \t]*!\[[^\]\n\r\u2028\u2029]*\]\([^)\n\r\u2028\u2029]*\)[ \t]*$/gm
/** Marks a truncated text. */
const MORE = '…'

/** The beginning of a Markdown text in about `limit` characters, cut after a block, line or word, without pictures. */
export function excerpt(markdown: string, limit: number): string {
  // Bounds the work on very long texts.
  const text = markdown
    .slice(0, limit * 3)
    .replaceAll(PICTURE, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (text.length <= limit && markdown.length <= limit * 3) return text
  const blocks = markdownBlocks(text)
  const cut = cutAt(text, blocks, limit)
  const kept = text.slice(0, cut).toWellFormed().trimEnd()
  const open = blocks.find((block) => block.kind === 'code' && block.start < cut && block.codeEnd >= cut)
  if (open?.kind !== 'code') return `${kept}\n\n${MORE}`
  return `${kept}\n${MORE}\n${/[`~]+/.exec(text.slice(open.start, open.codeStart))?.[0] ?? ''}`
}

function cutAt(text: string, blocks: readonly Block[], limit: number): number {
  const block = blocks.findLast(({ end }) => end <= limit)
  if (block && block.end >= limit / 2) return block.end
  const line = text.lastIndexOf('\n', limit)
  if (line >= limit / 2) return line
  const word = text.lastIndexOf(' ', limit)
  return word >= limit / 2 ? word : limit
}
