import { oneLine } from '#lib/text/one-line.ts'
import type { Block, CodeBlock } from './document.ts'

/** A longer line is neither a fence nor a heading. */
const MAX_MARKUP_LINE = 1_000
const FENCE = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?![ \t])\{?\.?([\w+#.-]*)(?![\w+#.-])[^\n`]*$/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(?![ \t])(.*)$/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/
/** What is before the text of a line. */
const MARGIN = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/
const TABLE_ROW = /^[ \t]*\|/

/**
 * Splits Markdown into blocks by their first lines, up to one more than `most`. Every non-blank character belongs to
 * exactly one block.
 */
export function markdownBlocks(markdown: string, most = Infinity): Block[] {
  const blocks: Block[] = []
  const seen = new Map<string, number>()
  let open: Block | null = null
  for (let at = 0; at < markdown.length && blocks.length <= most;) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    const line = markdown.slice(at, end)
    const found = line.length > MAX_MARKUP_LINE ? null : FENCE.exec(line)
    const fence = found !== null && isUnderline(markdown, at, found) ? null : found
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

/** Tildes far to the right of the line above point at a part of it, as compilers do: they open no code. */
function isUnderline(markdown: string, at: number, { 0: line, 1: mark = '' }: RegExpExecArray): boolean {
  if (at === 0 || !mark.startsWith('~')) return false
  const above = markdown.slice(markdown.lastIndexOf('\n', at - 2) + 1, at - 1)
  return above.trim() !== '' && line.indexOf(mark) >= (MARGIN.exec(above)?.[0].length ?? 0) + 4
}

function lineKind(line: string, open: Block | null): 'list' | 'table' | 'paragraph' {
  if (TABLE_ROW.test(line)) return 'table'
  if (LIST_ITEM.test(line)) return 'list'
  return open?.kind === 'list' && /^[ \t]/.test(line) ? 'list' : 'paragraph'
}

function fencedBlock(markdown: string, start: number, lineEnd: number, fence: RegExpExecArray): CodeBlock {
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
/** Returns the length of the longest run of backticks. */
export function longestRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}

/** Strips marks from inline Markdown. Keeps link and image texts; removes URLs and emphasis. */
export function plainInline(markdown: string): string {
  if (!/[[*`~]/.test(markdown)) return markdown
  return markdown
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*\)/g, '$1')
    .replace(/\*\*|~~|`+/g, '')
    .replace(/(^|\s)\*(\S[^*]*)\*/g, '$1$2')
}

/** Returns a heading's fragment on Markdown hosts: lower case, without punctuation, hyphens for spaces. */
export function slugifyHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
