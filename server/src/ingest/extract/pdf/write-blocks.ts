import { oneLine, visible } from '../one-line.ts'
import type { PdfBlock } from './pdf-blocks.ts'

export type WrittenPdf = {
  markdown: string
  /** Where each page begins, also within a paragraph, as PDF viewers understand it (RFC 8118, 3). */
  anchors: { offset: number; anchor: string }[]
}

/** Blocks as Markdown. The title is the only heading of the first level. */
export function writeBlocks(blocks: readonly PdfBlock[], title: string): WrittenPdf {
  const parts: string[] = []
  const anchors: WrittenPdf['anchors'] = []
  let length = 0
  let last: PdfBlock | null = null
  let page: number | null = null
  for (const block of blocks) {
    const text = visible(writeBlock(block, title)).trim()
    if (text === '') continue
    const between = length === 0 ? '' : last?.kind === 'item' && block.kind === 'item' ? '\n' : '\n\n'
    length += between.length
    if (block.page !== page) anchors.push({ offset: length, anchor: `page=${block.page}` })
    page = block.page
    parts.push(between, text)
    length += text.length
    for (const turn of turnsOf(block)) {
      anchors.push({ offset: length - turn.left, anchor: `page=${turn.page}` })
      page = turn.page
    }
    last = block
  }
  return { markdown: parts.join(''), anchors }
}

/** Pages on which a block goes on, with how much of it as it is written is left there. What is joined begins with a letter. */
function turnsOf(block: PdfBlock): { left: number; page: number }[] {
  if (!('turns' in block) || block.turns === undefined) return []
  const { text, turns } = block
  return turns.map(({ at, page }) => ({ left: oneLine(text.slice(at)).length, page }))
}

function writeBlock(block: PdfBlock, title: string): string {
  if (block.kind === 'table') return writeRows(block.rows)
  if (block.kind === 'code') return `\`\`\`\n${block.text.replaceAll('```', "'''")}\n\`\`\``
  const text = oneLine(block.text)
  if (block.kind === 'heading') {
    const level = text.toLowerCase() === title.toLowerCase() ? 1 : Math.max(2, block.level)
    return `${'#'.repeat(level)} ${text}`
  }
  // A line that begins as a heading or a fence does is text all the same.
  return block.kind === 'item' ? text : text.replace(/^(?=#{1,6}\s|```|~~~|---)/, '\\')
}

function writeRows([head = [], ...body]: string[][]): string {
  const line = (cells: string[]) => `|${cells.map((cell) => ` ${oneLine(cell).replaceAll('|', '\\|')} |`).join('')}`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...body.map(line)].join('\n')
}
