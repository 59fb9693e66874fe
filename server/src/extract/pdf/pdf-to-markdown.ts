import { oneLine } from '#lib/text/one-line.ts'
import { dropLeaders } from './drop-leaders.ts'
import { dropRunning } from './drop-running.ts'
import { createHeadingFinder } from './find-headings.ts'
import { joinLines, type Vocabulary, vocabularyOf } from './join-lines.ts'
import { orderColumns } from './order-columns.ts'
import type { PdfBlock } from './pdf-blocks.ts'
import type { PdfContent } from './pdf-page.ts'
import { regionBlocks } from './region-blocks.ts'
import { writeBlocks, type WrittenPdf } from './write-blocks.ts'

/**
 * Maximum length of a paragraph joined across pages, in characters. Parts of a longer one stay separate and link to
 * their own pages.
 */
const LONGEST = 3_000

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
function joinAcross(blocks: PdfBlock[], vocabulary: Vocabulary): PdfBlock[] {
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
    const turns = [...(last.turns ?? [])]
    if ((turns.at(-1) ?? last).page !== block.page)
      turns.push({ at: text.length - block.text.length, page: block.page })
    joined[joined.length - 1] = { ...last, text, turns }
  }
  return joined
}

function firstHeading(blocks: PdfBlock[]): string {
  const onFirst = blocks.filter((block) => block.kind === 'heading' && block.page === (blocks[0]?.page ?? 1))
  const [largest] = onFirst.toSorted((a, b) => (a.kind === 'heading' && b.kind === 'heading' ? a.level - b.level : 0))
  return largest?.kind === 'heading' ? oneLine(largest.text).slice(0, 200) : ''
}
