import { oneLine, visible } from '#lib/text/one-line.ts'
import type { PdfBlock } from './pdf-blocks.ts'

export type WrittenPdf = {
  markdown: string
  /** Start of each page, also within a paragraph, with its anchor for PDF viewers (RFC 8118, section 3). */
  anchors: { offset: number; anchor: string }[]
}

/** Renders blocks as Markdown. The title is the only first-level heading. */
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

/**
 * Returns the later pages of a block, each with the length of the rendered text from there on. Each joined part starts
 * with a letter, so rendering does not change its start.
 */
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
  // Escape text that starts like a heading or a fence.
  return block.kind === 'item' ? text : text.replace(/^(?=#{1,6}\s|```|~~~|---)/, '\\')
}

function writeRows([head = [], ...body]: string[][]): string {
  const line = (cells: string[]) => `|${cells.map((cell) => ` ${oneLine(cell).replaceAll('|', '\\|')} |`).join('')}`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...body.map(line)].join('\n')
}
