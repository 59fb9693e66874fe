import {
  type Block,
  type ExtractedPage,
  type PageInput,
  type PageLink,
  reject,
  type Rejected,
} from '../extracted-page.ts'
import { oneLine, visible } from '../one-line.ts'
import { plainInline } from './plain-inline.ts'
import { questionHeadings } from './question-headings.ts'
import { resolveLink } from '../resolve-link.ts'
import { slugifyHeading } from './slugify-heading.ts'
import { findComponents } from './strip-jsx.ts'
import { mayHoldContainers, stripContainers, withLabel } from './strip-containers.ts'
import { mayHoldMarkup, stripMarkup } from './strip-markup.ts'
import { lastSegment } from '../last-segment.ts'

/** Upper bound for blocks. The largest documents have about 20,000. */
const MAX_BLOCKS = 200_000
const MAX_LINKS = 20_000
/** A longer line is neither a fence nor a heading. */
const MAX_MARKUP_LINE = 1_000

const FRONT_MATTER = /^---\n[\s\S]*?\n---[ \t]*(?:\n|$)/
const FENCE = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?![ \t])\{?\.?([\w+#.-]*)(?![\w+#.-])[^\n`]*$/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/
/** The question of a folded answer. */
const SUMMARY =
  /<summary>\s{0,20}(?:<(?:b|strong|h[1-6])>)?([^<>\n]{1,300}[?？؟])(?:<\/(?:b|strong|h[1-6])>)?\s{0,20}<\/summary>/gi
const BOLD_QUESTION = /[?？؟](?:\*\*|__)/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/
const TABLE_ROW = /^[ \t]*\|/

type Given = Pick<PageInput, 'withRoutes' | 'marks'>

/**
 * Converts Markdown to a page: removes front matter and HTML, and finds blocks and links. Anchors are explicit ids or
 * the usual heading slugs.
 */
export function extractMarkdown(
  source: string,
  url: string,
  { withRoutes = false, marks }: Given = {},
): ExtractedPage | Rejected {
  const front = FRONT_MATTER.exec(source)?.[0] ?? ''
  const own = marks?.map((mark) => Math.max(0, mark - front.length)) ?? []
  const pieces = withQuestionHeadings(withoutMarkup(cutAt(source.slice(front.length), own).map(visible)))
  const text = pieces.join('')
  const markdown = text.trim()
  const blocks = markdownBlocks(markdown)
  if (blocks.length > MAX_BLOCKS) return reject('too_complex', 'The document is in more pieces than any real one is.')
  const first = blocks.find((block) => block.kind === 'heading')
  const heading = first?.kind === 'heading' ? first.text : ''
  const title = frontMatterTitle(front) || heading || lastSegment(url)
  const leading = text.length - text.trimStart().length
  return {
    kind: 'page',
    title,
    markdown,
    blocks,
    language: null,
    canonical: null,
    links: markdownLinks(markdown, url, withRoutes),
    noindex: false,
    nofollow: false,
    empty: false,
    generator: null,
    ...(marks ? { marks: startsOf(pieces).map((start) => Math.max(0, start - leading)) } : {}),
  }
}

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
 * that their places remain known. Tags do not extend over pieces.
 */
function withoutMarkup(pieces: string[]): string[] {
  const markdown = pieces.join('')
  if (!mayHoldMarkup(markdown) && !mayHoldContainers(markdown)) return pieces
  const code = markdownBlocks(markdown).filter(({ kind }) => kind === 'code')
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
  const components = findComponents(parts.flat().flatMap(({ text, isCode }) => (isCode ? [] : [text])))
  return parts.map((inPiece) =>
    inPiece
      .map(({ text, isCode }) =>
        isCode ? withLabel(text) : stripMarkup(stripContainers(text).replaceAll(SUMMARY, '\n**$1**\n\n'), components),
      )
      .join(''),
  )
}

/** Makes sections of bold questions. A question that extends over pieces stays as it is. */
function withQuestionHeadings(pieces: string[]): string[] {
  const markdown = pieces.join('')
  if (!BOLD_QUESTION.test(markdown)) return pieces
  const edits = questionHeadings(markdown, markdownBlocks(markdown))
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

/**
 * Splits Markdown into blocks by their first lines. Every non-blank character belongs to exactly one block. Stops early
 * at MAX_BLOCKS.
 */
export function markdownBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  const seen = new Map<string, number>()
  let open: Block | null = null
  for (let at = 0; at < markdown.length;) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    const line = markdown.slice(at, end)
    const fence = line.length > MAX_MARKUP_LINE ? null : FENCE.exec(line)
    const heading = fence !== null || line.length > MAX_MARKUP_LINE ? null : HEADING.exec(line)
    if (fence !== null) {
      const block = fencedBlock(markdown, at, end, fence)
      blocks.push(block)
      at = block.end + 1
      open = null
      continue
    }
    if (heading !== null) {
      blocks.push(headingBlock(heading, at, end, seen))
      open = null
    } else if (line.trim() === '') {
      if (open?.kind !== 'list') open = null
    } else {
      const kind = lineKind(line, open)
      if (open !== null && open.kind === kind) open.end = end
      else {
        open = { kind, start: at, end }
        blocks.push(open)
      }
    }
    at = end + 1
  }
  return blocks
}

function lineKind(line: string, open: Block | null): 'list' | 'table' | 'text' {
  if (TABLE_ROW.test(line)) return 'table'
  if (LIST_ITEM.test(line)) return 'list'
  return open?.kind === 'list' && /^[ \t]/.test(line) ? 'list' : 'text'
}

function fencedBlock(
  markdown: string,
  start: number,
  lineEnd: number,
  fence: RegExpExecArray,
): Block & { kind: 'code' } {
  const mark = fence[1] ?? '```'
  const codeStart = Math.min(lineEnd + 1, markdown.length)
  let at = codeStart
  for (;;) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    const line = markdown.slice(at, end).trim()
    const closes = line.length >= mark.length && line === (mark[0] ?? '`').repeat(line.length)
    if (closes || newline < 0) {
      const codeEnd = closes ? Math.max(codeStart, at - 1) : end
      return { kind: 'code', start, end, codeStart, codeEnd, language: fence[2]?.toLowerCase() || null }
    }
    at = end + 1
  }
}

function headingBlock(match: RegExpExecArray, start: number, end: number, seen: Map<string, number>): Block {
  const raw = (match[2] ?? '').trimEnd().replace(/(?<![ \t])[ \t]+#+$/, '')
  const explicit = /(?<!\s)\s*\{#([\w.:-]+)\}\s*$/.exec(raw)
  const text = plainInline(oneLine(explicit === null ? raw : raw.slice(0, explicit.index)))
  const slug = slugifyHeading(text)
  const count = seen.get(slug) ?? 0
  seen.set(slug, count + 1)
  const anchor = explicit?.[1] ?? (count === 0 ? slug : `${slug}-${count}`)
  return { kind: 'heading', start, end, level: match[1]?.length ?? 1, text, anchor: anchor === '' ? null : anchor }
}

function markdownLinks(markdown: string, base: string, withRoutes: boolean): PageLink[] {
  const links = new Map<string, PageLink>()
  for (const [, label = '', href = ''] of markdown.matchAll(/(?<!!)\[([^\]\n]{0,300})\]\(\s*<?([^\s()<>]+)/g)) {
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
