import { oneLine, visible } from '#lib/text/one-line.ts'
import { fenced, tableLines } from '../markdown/write-markdown.ts'
import { dropLeaders, dropRunning } from './drop-lines.ts'
import { createHeadingFinder, joinLines, vocabularyOf, regionBlocks } from './region-blocks.ts'
import { orderColumns } from './page-layout.ts'
import type { PdfBlock, PdfContent } from './segments.ts'

/**
 * Maximum length of a paragraph joined across pages, in characters. Parts of a longer one stay separate and link to
 * their own pages.
 */
const LONGEST = 3_000

export type WrittenPdf = {
  markdown: string
  /** Start of each page, also within a paragraph, with its anchor for PDF viewers (RFC 8118, section 3). */
  anchors: { offset: number; anchor: string }[]
}

/**
 * Converts a PDF's text to Markdown in reading order, with an anchor per page. Steps: running lines, tables of contents
 * and indexes, columns, tables, headings, paragraphs. `title` is that of the metadata, or the largest heading of the first page.
 */
export function pdfToMarkdown({ title, pages, outline }: PdfContent): WrittenPdf & { title: string } {
  const cleaned = dropLeaders(dropRunning(pages))
  const segments = cleaned.flatMap((page) => page.segments)
  const headings = createHeadingFinder(segments, outline)
  const vocabulary = vocabularyOf(segments.map(({ text }) => text.trim()))
  const blocks = cleaned.flatMap((page) =>
    orderColumns(page.segments).flatMap((region) => regionBlocks(region, { page: page.number, headings, vocabulary })),
  )
  const whole = joinAcross(blocks, vocabulary)
  const named = oneLine(title) || firstHeading(whole)
  return { title: named, ...writeBlocks(whole, named) }
}

/** Joins paragraphs interrupted by the end of a column or page. */
function joinAcross(blocks: PdfBlock[], vocabulary: ReadonlySet<string>): PdfBlock[] {
  const joined: PdfBlock[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    const goesOn =
      last !== undefined &&
      (last.kind === 'text' || last.kind === 'item') &&
      block.kind === 'text' &&
      Math.abs(last.size - block.size) < 0.5 &&
      last.text.length + block.text.length < LONGEST &&
      !/[.!?:;]["”’)]?$/.test(last.text) &&
      /^\p{Ll}/u.test(block.text)
    if (!goesOn) {
      joined.push(block)
      continue
    }
    const text = joinLines(last.text, block.text, vocabulary)
    const { turns } = last
    if ((turns.at(-1) ?? last).page !== block.page)
      turns.push({ at: text.length - block.text.length, page: block.page })
    joined[joined.length - 1] = { ...last, text }
  }
  return joined
}

function firstHeading(blocks: PdfBlock[]): string {
  const headings = blocks.filter((block) => block.kind === 'heading').filter(({ page }) => page === blocks[0]?.page)
  const [largest] = headings.toSorted((a, b) => a.level - b.level)
  return oneLine(largest?.text ?? '').slice(0, 200)
}

/** Renders blocks as Markdown. The title is the only first-level heading. */
function writeBlocks(blocks: readonly PdfBlock[], title: string): WrittenPdf {
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
    if ('turns' in block)
      for (const turn of block.turns) {
        // Each joined part starts with a letter, so rendering does not change its start.
        const left = oneLine(block.text.slice(turn.at)).length
        anchors.push({ offset: length - left, anchor: `page=${turn.page}` })
        page = turn.page
      }
    last = block
  }
  return { markdown: parts.join(''), anchors }
}

function writeBlock(block: PdfBlock, title: string): string {
  if (block.kind === 'table') return tableLines(block.rows.map((row) => row.map(oneLine))).join('\n')
  if (block.kind === 'code') return fenced(block.text)
  const text = oneLine(block.text)
  if (block.kind === 'heading') {
    const level = text.toLowerCase() === title.toLowerCase() ? 1 : Math.max(2, block.level)
    return `${'#'.repeat(level)} ${text}`
  }
  // Escape text that starts like a heading or a fence.
  return block.kind === 'item' ? text : text.replace(/^(?=#{1,6}\s|```|~~~|---)/, '\\')
}
