import { oneLine, visible } from '#lib/text/one-line.ts'
import { fenced, tableLines } from '../markdown/write-markdown.ts'
import { createHeadingFinder, joinLines, regionBlocks, vocabularyOf } from './region-blocks.ts'
import { orderColumns } from './page-layout.ts'
import { type PdfBlock, type PdfContent, type PdfPage, type Segment, toRows } from './segments.ts'

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

/** Number of lines at the top and bottom of a page that can be headers or footers. */
const EDGE_ROWS = 3
/** Share of the page height that these lines occupy at each edge. */
const EDGE = 0.18
/** Minimum number of pages with the same line. */
const LEAST_PAGES = 3

/**
 * Removes repeated lines at the page edges, also with different numbers, and page numbers. Books alternate headers
 * between left and right pages and omit them at chapter starts, so a few repeats suffice.
 */
function dropRunning(pages: readonly PdfPage[]): PdfPage[] {
  const seen = new Map<string, Set<number>>()
  const edges = pages.map((page) => edgeRows(page))
  for (const [index, rows] of edges.entries()) {
    for (const key of rows.map(keyOf)) seen.set(key, (seen.get(key) ?? new Set()).add(index))
  }
  const least = Math.max(LEAST_PAGES, pages.length / 20)
  return pages.map((page, index) => {
    const dropped = new Set(
      (edges[index] ?? []).filter((row) => (seen.get(keyOf(row))?.size ?? 0) >= least || isNumberOf(page, row)).flat(),
    )
    return dropped.size === 0 ? page : { ...page, segments: page.segments.filter((segment) => !dropped.has(segment)) }
  })
}

function edgeRows({ segments, height }: PdfPage): Segment[][] {
  const rows = toRows(segments)
  const atTop = rows.slice(0, EDGE_ROWS).filter(([first]) => (first?.y ?? height) < height * EDGE)
  const atBottom = rows.slice(-EDGE_ROWS).filter(([first]) => (first?.y ?? 0) > height * (1 - EDGE))
  return [...new Set([...atTop, ...atBottom])]
}

/** Replaces numbers and sorts the parts, because numbers change from page to page and the sides alternate. */
function keyOf(row: Segment[]): string {
  const words = row.map(({ text }) => text.trim().replace(/\d+|\b[ivxlc]+\b/gi, '#'))
  return words.toSorted().join(' ')
}

function isNumberOf({ number }: PdfPage, row: Segment[]): boolean {
  const text = row.map((segment) => segment.text.trim()).join(' ')
  return new RegExp(`^(?:page\\s*|[-–—]\\s*)?${number}(?:\\s*(?:of|/)\\s*\\d+|\\s*[-–—])?$`, 'i').test(text)
}

/** Minimum number of entries on a page. Fewer dotted lines can be a form or the output of a program. */
const LEAST_ENTRIES = 3
/** Minimum number of dots between an entry and its page number. */
const LEAST_DOTS = 4
/** The same on a page that is a list, where long entries leave little room. */
const LEAST_DOTS_OF_LIST = 2
/** Share of the rows of a page that are entries, from which the page is a table of contents or an index. */
const MOSTLY = 0.5
/** Minimum number of words of prose on such a page. Shorter lines are its headings, and the first lines of entries. */
const LEAST_WORDS = 8
const DOTS = new Set('.·…')
/** Number of a chapter or an appendix, which can be a segment before its title. */
const ORDINAL = /^(?:(?:appendix|chapter|part)\s)?(?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3}){0,6}\.?$/i
/** Page numbers: `12`, `xiv`, `3, 8-12`, `A-7`. */
const NUMBERS = /^(?:[A-Z]-)?(?:\d{1,5}|[ivxlc]{1,8})(?:\s?[,–-]\s?(?:\d{1,5}|[ivxlc]{1,8})){0,20}$/

/**
 * Removes the entries of tables of contents and indexes: texts with a line of dots and page numbers after them. They
 * repeat the words of headings, and answer nothing. Keeps dotted lines with numbers that no page has, such as prices.
 */
function dropLeaders(pages: readonly PdfPage[]): PdfPage[] {
  const lastPage = pages.at(-1)?.number ?? 0
  let wasList = false
  return pages.map((page, index) => {
    const rows = toRows(page.segments)
    const entries = rows.map((row) => entriesOf(row, lastPage))
    const count = entries.filter((own) => own.length > 0).length
    // The first page can have the title.
    const isList = index > 0 && count >= LEAST_ENTRIES && count >= rows.length * MOSTLY
    const isEnough = count >= (wasList ? 1 : LEAST_ENTRIES)
    wasList = isList
    if (!isEnough) return page
    const dropped = new Set(isList ? listed(rows, entries, lastPage) : entries.flat())
    return { ...page, segments: page.segments.filter((segment) => !dropped.has(segment)) }
  })
}

/** Segments of a page that is a list: its entries, headings, and the first lines of long entries. Prose stays. */
function listed(rows: Segment[][], entries: Segment[][], lastPage: number): Segment[] {
  return rows.flatMap((row, at) => {
    const own = [...(entries[at] ?? []), ...entriesOf(row, lastPage, LEAST_DOTS_OF_LIST)]
    const beginsEntry = (entries[at + 1]?.length ?? 0) > 0
    const isProse = ({ text }: Segment) =>
      (!beginsEntry || /[.!?:]$/.test(text.trim())) && text.split(' ', LEAST_WORDS).length === LEAST_WORDS
    return [...own, ...row.filter((segment) => !isProse(segment))]
  })
}

function entriesOf(row: Segment[], lastPage: number, leastDots = LEAST_DOTS): Segment[] {
  return row.flatMap((segment, at) => {
    if (segment.isMono) return []
    const { title, numbers } = splitAtDots(segment.text, leastDots)
    if (title === null) return []
    const next = row[at + 1]
    const hasNumber = numbers === '' && next !== undefined && isPages(next.text.trim(), lastPage)
    if (!isPages(numbers, lastPage) && !hasNumber) return []
    // The dots, and the number of a chapter, can be separate segments.
    const isBefore = ({ text }: Segment, from: number) => (title === '' && from === at - 1) || ORDINAL.test(text.trim())
    const first = row.findLastIndex((part, from) => from < at && !isBefore(part, from)) + 1
    return [...row.slice(first, at), segment, ...(hasNumber ? [next] : [])]
  })
}

/** Splits a text at its last line of dots. `title` is null if it has none. */
function splitAtDots(text: string, leastDots: number): { title: string | null; numbers: string } {
  let end = text.length
  while (end > 0 && !DOTS.has(text[end - 1] ?? '')) end--
  let dots = 0
  let start = end
  for (; start > 0; start--) {
    const char = text[start - 1] ?? ''
    if (DOTS.has(char)) dots += char === '…' ? 3 : 1
    else if (char !== ' ') break
  }
  return { title: dots < leastDots ? null : text.slice(0, start).trim(), numbers: text.slice(end).trim() }
}

function isPages(text: string, lastPage: number): boolean {
  if (text.length > MAX_NUMBERS || !NUMBERS.test(text)) return false
  return (text.match(/\d+/g) ?? []).every((number) => Number(number) <= lastPage)
}

/** Characters of the longest list of page numbers on a line. */
const MAX_NUMBERS = 100
