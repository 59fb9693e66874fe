import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { oneLine, visible } from '#lib/text/one-line.ts'
import {
  type ExtractedPage,
  NO_FACTS,
  type PageInput,
  type PageLink,
  type Rejected,
  reject,
} from '../extracted-page.ts'
import { lastSegment, resolveLink } from '../resolve-link.ts'
import { findComponents, withoutMargins } from './strip-jsx.ts'
import { stripContainers, stripMarkup, withLabel } from './strip-markup.ts'

/** Upper bound for blocks. The largest documents have about 20,000. */
const MAX_BLOCKS = 200_000
const MAX_LINKS = 20_000

const FRONT_MATTER = /^---\n[\s\S]*?\n---[ \t]*(?:\n|$)/
/** The question of a folded answer. */
const SUMMARY =
  /<summary>\s{0,20}(?:<(?:b|strong|h[1-6])>)?([^<>\n]{1,300}[?？؟])(?:<\/(?:b|strong|h[1-6])>)?\s{0,20}<\/summary>/gi
const BOLD_QUESTION = /[?？؟](?:\*\*|__)/

/**
 * Converts Markdown to a page: removes front matter and HTML, and finds blocks and links. Anchors are explicit ids or
 * the usual heading slugs.
 */
export function extractMarkdown(
  source: string,
  url: string,
  { withRoutes = false, marks, isMdx = false }: Pick<PageInput, 'withRoutes' | 'marks'> & { isMdx?: boolean } = {},
): ExtractedPage | Rejected {
  const front = FRONT_MATTER.exec(source)?.[0] ?? ''
  const own = marks?.map((mark) => Math.max(0, mark - front.length)) ?? []
  const body = source.slice(front.length)
  const parts = cutAt(isMdx ? withoutMargins(body) : body, own)
  const plain = withoutMarkup(parts.map(visible), isMdx)
  const pieces = plain && withQuestionHeadings(plain)
  if (pieces === null) return tooManyBlocks()
  const text = pieces.join('')
  const markdown = text.trim()
  const blocks = markdownBlocks(markdown, MAX_BLOCKS)
  if (blocks.length > MAX_BLOCKS) return tooManyBlocks()
  const heading = blocks.find((block) => block.kind === 'heading')
  const title = frontMatterTitle(front) || heading?.text || lastSegment(url)
  const leading = text.length - text.trimStart().length
  return {
    kind: 'page',
    title,
    markdown,
    blocks,
    links: markdownLinks(markdown, url, withRoutes),
    empty: false,
    ...NO_FACTS,
    ...(marks ? { marks: startsOf(pieces).map((start) => Math.max(0, start - leading)) } : {}),
  }
}

const tooManyBlocks = (): Rejected => reject('too_complex', 'The document is in more pieces than any real one is.')

/** Cuts a text at increasing offsets. The first piece precedes the first offset. */
function cutAt(text: string, offsets: readonly number[]): string[] {
  return [0, ...offsets].map((start, index) => text.slice(start, offsets[index]))
}

/** Offsets of all pieces but the first in the joined text. */
function startsOf(pieces: readonly string[]): number[] {
  let length = 0
  return pieces.slice(0, -1).map((piece) => (length += piece.length))
}

/**
 * Removes HTML and MDX from the prose and leaves fences unchanged. The text comes in pieces, and each is returned, so
 * that their places remain known. Tags do not extend over pieces. Null with more than `MAX_BLOCKS`.
 */
function withoutMarkup(pieces: string[], isMdx: boolean): string[] | null {
  const markdown = pieces.join('')
  const blocks = markdownBlocks(markdown, MAX_BLOCKS)
  if (blocks.length > MAX_BLOCKS) return null
  const code = blocks.filter(({ kind }) => kind === 'code')
  let at = 0
  let next = 0
  const parts = pieces.map((piece) => {
    const end = at + piece.length
    const inPiece: { text: string; isCode: boolean }[] = []
    while (at < end) {
      while ((code[next]?.end ?? Infinity) <= at) next++
      const { start, end: codeEnd } = code[next] ?? { start: Infinity, end: Infinity }
      const isCode = start <= at
      const to = Math.min(end, isCode ? codeEnd : start)
      inPiece.push({ text: markdown.slice(at, to), isCode })
      at = to
    }
    return inPiece
  })
  const prose = parts.flat().flatMap(({ text, isCode }) => (isCode ? [] : [text]))
  const components = findComponents(prose, { isMdx })
  return parts.map((inPiece) =>
    inPiece
      .map(({ text, isCode }) =>
        isCode
          ? withLabel(text)
          : inOneStyle(stripMarkup(stripContainers(text).replaceAll(SUMMARY, '\n**$1**\n\n'), components)),
      )
      .join(''),
  )
}

/** Makes sections of bold questions. A question that extends over pieces stays as it is. */
function withQuestionHeadings(pieces: string[]): string[] {
  const markdown = pieces.join('')
  if (!BOLD_QUESTION.test(markdown)) return pieces
  const edits = questionHeadings(markdown)
  if (edits.length === 0) return pieces
  let at = 0
  let next = 0
  return pieces.map((piece) => {
    const end = at + piece.length
    let text = ''
    for (let edit = edits[next]; edit !== undefined && edit.start < end; edit = edits[++next]) {
      if (edit.start < at || edit.end > end) continue
      text += markdown.slice(at, edit.start) + edit.text
      at = edit.end
    }
    text += markdown.slice(at, end)
    at = end
    return text
  })
}

function markdownLinks(markdown: string, base: string, withRoutes: boolean): PageLink[] {
  const links = new Map<string, PageLink>()
  for (const [, label = '', href = ''] of markdown.matchAll(/(?<!!)\[([^[\]\n]{0,300})\]\(\s*<?([^\s()<>]+)/g)) {
    if (links.size >= MAX_LINKS) break
    const url = resolveLink(href, base, withRoutes)
    if (url !== null && !links.has(url)) links.set(url, { url, text: oneLine(label).slice(0, 200), inContent: true })
  }
  return [...links.values()]
}

function frontMatterTitle(front: string): string {
  const raw = /^title:[ \t]*(.+)/m.exec(front)?.[1]?.trim() ?? ''
  return oneLine(raw.replace(/^(["'])(.*)\1$/, '$2'))
}

/** A longer question is prose. */
const MAX_LENGTH = 300
/** Questions that make a document a list of questions. A single one can be an appeal (`**Need help?**`). */
const LEAST = 2

/**
 * A line at the start of a paragraph that is a bold question: `**How do I …?**`, `**Q: How do I …?**`,
 * `3. **How do I …?**`.
 */
const QUESTION = /(?<!.|.\n) {0,3}(?:\d{1,3}[.)][ \t]+)?(?:\*\*|__)([^*\n]{2,300}?[?？؟])(?:\*\*|__)[ \t]*\\?$/gm

/**
 * Turns bold questions at the start of a paragraph into headings, one level below the heading above them. Lists of
 * questions are often written without headings, and each answer needs a section. Returns replacements of ranges.
 */
function questionHeadings(markdown: string) {
  const edits: { start: number; end: number; text: string }[] = []
  let level = 1
  for (const block of markdownBlocks(markdown)) {
    if (block.kind === 'heading') level = block.level
    if (block.kind !== 'paragraph' && block.kind !== 'list') continue
    for (const { 0: line, 1: question = '', index } of markdown.slice(block.start, block.end).matchAll(QUESTION)) {
      if (line.length > MAX_LENGTH) continue
      const start = block.start + index
      const text = `${'#'.repeat(Math.min(6, level + 1))} ${question.replace(/^Q(?:uestion)?[:.] ?/i, '')}`
      edits.push({ start, end: start + line.length, text })
    }
  }
  return edits.length >= LEAST ? edits : []
}

const UNDERLINE = /^ {0,3}(?:={2,}|-{3,})[ \t]*$/
/** Lines that begin another block: items, quotes, headings, tables, code, rules. */
const OTHER = /^(?: {4}|\t| {0,3}(?:[-*+>#|=`~]|\d{1,9}[.)][ \t]))/
const MAX_HEADING = 200

/** Ends the rows of a table (GitHub Flavored Markdown 0.29, section 4.10): an empty line, or the start of another block. */
const AFTER_TABLE = /^(?:[ \t]*$| {4}|\t| {0,3}(?:>|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]))/
/** The line below the header of a table, without a bar at its start. */
const DELIMITERS = /^ {0,3}[:-][-:| \t]*$/

/**
 * Writes underlined headings (setext, CommonMark 0.31 section 4.3) with `#`; those of several lines stay paragraphs.
 * Writes tables whose rows begin without a bar with one.
 */
function inOneStyle(markdown: string): string {
  if (!/\n {0,3}(?:==|--|:-|-[ \t]?\|)/.test(markdown)) return markdown
  const lines: string[] = []
  let isTable = false
  for (const line of markdown.split('\n')) {
    const [above = '', before = ''] = [lines.at(-1), lines.at(-2)]
    const isHeading = above.trim() !== '' && above.length <= MAX_HEADING && before.trim() === '' && !OTHER.test(above)
    if (isTable && !AFTER_TABLE.test(line) && !UNDERLINE.test(line)) lines.push(withBars(line))
    else if (isHeading && UNDERLINE.test(line))
      lines[lines.length - 1] = `${line.includes('=') ? '#' : '##'} ${above.trim()}`
    else {
      isTable = DELIMITERS.test(line) && !AFTER_TABLE.test(above) && isHeadOf(above, line)
      if (isTable) lines[lines.length - 1] = withBars(above)
      lines.push(isTable ? withBars(line) : line)
    }
  }
  return lines.join('\n')
}

function withBars(row: string): string {
  const text = row.trim()
  return text.startsWith('|') ? text : `| ${text}${/(?<!\\)\|$/.test(text) ? '' : ' |'}`
}

/** True for two or more cells, as many as delimiters. */
function isHeadOf(header: string, line: string): boolean {
  const [cells, delimiters] = [header, line].map((row) =>
    withBars(row)
      .split(/(?<!\\)\|/)
      .slice(1, -1),
  )
  if (cells === undefined || delimiters === undefined || cells.length < 2) return false
  return cells.length === delimiters.length && delimiters.every((cell) => /^[ \t]*:?-+:?[ \t]*$/.test(cell))
}
