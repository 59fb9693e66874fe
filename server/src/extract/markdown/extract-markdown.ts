import { type Block, type ExtractedPage, type PageLink, reject, type Rejected } from '../extracted-page.ts'
import { oneLine, visible } from '../one-line.ts'
import { plainInline } from './plain-inline.ts'
import { resolveLink } from '../resolve-link.ts'
import { slugifyHeading } from './slugify-heading.ts'
import { findComponents } from './strip-jsx.ts'
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
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/
const TABLE_ROW = /^[ \t]*\|/

/**
 * Converts Markdown to a page: removes front matter and HTML, and finds blocks and links. Anchors are explicit ids or
 * the usual heading slugs.
 */
export function extractMarkdown(source: string, url: string, withRoutes = false): ExtractedPage | Rejected {
  const front = FRONT_MATTER.exec(source)?.[0] ?? ''
  const markdown = withoutMarkup(visible(source.slice(front.length))).trim()
  const blocks = markdownBlocks(markdown)
  if (blocks.length > MAX_BLOCKS) return reject('too_complex', 'The document is in more pieces than any real one is.')
  const first = blocks.find((block) => block.kind === 'heading')
  const heading = first?.kind === 'heading' ? first.text : ''
  const title = frontMatterTitle(front) || heading || lastSegment(url)
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
  }
}

/** Removes HTML and MDX from the prose and leaves fences unchanged. */
function withoutMarkup(markdown: string): string {
  if (!mayHoldMarkup(markdown)) return markdown
  const prose: string[] = []
  const code: string[] = []
  let at = 0
  for (const block of markdownBlocks(markdown)) {
    if (block.kind !== 'code') continue
    prose.push(markdown.slice(at, block.start))
    code.push(markdown.slice(block.start, block.end))
    at = block.end
  }
  prose.push(markdown.slice(at))
  const components = findComponents(prose)
  return prose.map((text, index) => stripMarkup(text, components) + (code[index] ?? '')).join('')
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
