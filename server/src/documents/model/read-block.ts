import type { Block, ProseKind, Span } from './document.ts'
import { markdownBlocks } from './markdown-blocks.ts'

/** The only reader of what is inside a block of the Markdown that extraction writes, in linear time. */

/** An item of a list with its continuation lines. */
type Item = Span & {
  /** Width of the indent before the marker. */
  indent: number
  /** Start of the text after the marker. */
  body: number
  ordered: boolean
}

/** A row of a table, with the spans of its trimmed cells. */
type Row = Span & { cells: readonly Span[] }

/** Terms with their text. Terms that share a text have one entry each. */
type Definition = Span & { term: Span; body: Span }

const MARKER = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/
/** The line below the header of a table. */
const RULE = /^(?=.*-)[-:| \t]+$/
const DEFINES = /^[ \t]*: /
const PICTURE = /^[ \t]*!\[[^\]]*\]\([^)]*\)[ \t]*$/

/** Lines of a span, without their line ends. */
export function* linesOf(text: string, { start, end }: Span): Generator<Span> {
  for (let at = start; at < end;) {
    const newline = text.indexOf('\n', at)
    const stop = newline < 0 || newline > end ? end : newline
    yield { start: at, end: stop }
    at = stop + 1
  }
}

/** Items of a list block, at all depths, in order. An item ends where the next one begins. */
export function itemsOf(text: string, block: Span): Item[] {
  const items: Item[] = []
  for (const { start, end } of linesOf(text, block)) {
    const [marker, indent = ''] = MARKER.exec(text.slice(start, end)) ?? []
    const last = items.at(-1)
    if (marker !== undefined) {
      const ordered = /\d/.test(marker)
      items.push({ start, end, body: start + marker.length, indent: indent.length, ordered })
    } else if (last !== undefined && start < end) last.end = end
  }
  return items
}

/**
 * The first rows of a table block, up to one more than `most`. `header` is null for a table without the rule below its
 * first row, such as the rest of a divided one.
 */
export function tableOf(text: string, block: Span, most = Infinity): { header: Row | null; rows: Row[] } {
  const rows: Row[] = []
  let header: Row | null = null
  for (const line of linesOf(text, block)) {
    if (rows.length > most) break
    const isBelowHeader = rows.length === 1 && header === null && RULE.test(text.slice(line.start, line.end))
    if (isBelowHeader) header = rows.pop() ?? null
    else if (line.start < line.end) rows.push({ ...line, cells: cellsOf(text, line) })
  }
  return { header, rows }
}

/** Characters of a table in which the title of a group is looked for, back from a row. */
const MOST_BACK = 20_000

/**
 * The lines to quote above a row of a table, which begins at `at`: the header with the rule below it, and the title of
 * the row's group. A header that is a title itself is left out for later groups. Empty for a table without a header.
 */
export function headAbove(text: string, tableStart: number, at: number): string {
  const end = text.indexOf('\n', text.indexOf('\n', tableStart) + 1) + 1
  const { header } = tableOf(text, { start: tableStart, end })
  if (header === null) return ''
  const title = titleAbove(text, Math.max(end, at - MOST_BACK), at)
  if (title === '') return text.slice(tableStart, end)
  return isTitle(header.cells, text) ? title + text.slice(header.end + 1, end) : text.slice(tableStart, end) + title
}

/** The last title of a group between two offsets, with its line end, or an empty text. */
export function titleAbove(text: string, from: number, at: number): string {
  for (let end = at - 1; end > from;) {
    const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
    if (isTitle(cellsOf(text, { start, end }), text)) return text.slice(start, end + 1)
    end = start - 1
  }
  return ''
}

/** True for a row whose only text is bold: extraction writes a cell over all columns like this. */
function isTitle([first, ...others]: readonly Span[], text: string): boolean {
  const isBold = first !== undefined && text.startsWith('**', first.start) && text.startsWith('**', first.end - 2)
  return isBold && others.length > 0 && others.every(({ start, end }) => start === end)
}

/** Spans of the cells of a row. An escaped bar does not end a cell. */
function cellsOf(text: string, { start, end }: Span): Span[] {
  const cells: Span[] = []
  const first = text.slice(start, end).search(/\S/) + start
  let from = text[first] === '|' ? first + 1 : first
  for (let at = from; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '|') {
      cells.push(trimmed(text, { start: from, end: at }))
      from = at + 1
    }
  }
  const rest = trimmed(text, { start: from, end })
  return rest.start < rest.end ? [...cells, rest] : cells
}

/** Terms and their texts: a line, and below it lines that begin with `: ` or are indented. */
export function definitionsOf(text: string, block: Span): Definition[] {
  const found: Definition[] = []
  let terms: Span[] = []
  for (const line of linesOf(text, block)) {
    const own = text.slice(line.start, line.end)
    const last = found.at(-1)
    if (DEFINES.test(own)) {
      const start = line.start + own.indexOf(':') + 2
      if (terms.length === 0 && last) last.end = last.body.end = line.end
      for (const term of terms) found.push({ start: term.start, end: line.end, term, body: { start, end: line.end } })
      terms = []
    } else if (own.trim() === '' || (last && terms.length === 0 && /^[ \t]/.test(own))) {
      if (last && own.trim() !== '') last.end = last.body.end = line.end
    } else terms.push(trimmed(text, line))
  }
  return found
}

/** The kind of a block of prose, told by its first lines. */
export function proseKind(text: string, block: Block & { kind: ProseKind }): ProseKind {
  if (block.kind === 'table') return 'table'
  const lines = linesOf(text, block)
  const { start, end } = lines.next().value ?? block
  const first = text.slice(start, end)
  if (block.kind === 'paragraph' && first.startsWith('>')) return 'callout'
  if (block.kind === 'paragraph' && end === block.end && PICTURE.test(first)) return 'image'
  const below = lines.next().value
  const isDefined = below !== undefined && DEFINES.test(text.slice(below.start, below.end))
  return isDefined && !MARKER.test(first) ? 'definition' : block.kind
}

function trimmed(text: string, { start, end }: Span): Span {
  const own = text.slice(start, end)
  const trim = own.trim()
  const from = trim === '' ? start : start + own.indexOf(trim)
  return { start: from, end: from + trim.length }
}

/** Code of a text. The span includes its fences. */
export type Code = Span & { language: string | null; text: string }

/** The code blocks of a Markdown text, in order. An unclosed fence extends to the end. */
export function codeOf(markdown: string): Code[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return []
  return codeIn(markdown, markdownBlocks(markdown))
}

/** The code among the blocks of a text, in order. */
export function codeIn(text: string, blocks: readonly Block[]): Code[] {
  return blocks.flatMap((block): Code[] => {
    if (block.kind !== 'code') return []
    const { start, end, codeStart, codeEnd, language } = block
    return [{ start, end, language, text: text.slice(codeStart, codeEnd) }]
  })
}

/** A block of a text without headings, or an item of a list. Items of one list share a group; every other block has its own. */
export type Piece = Span & { kind: 'paragraph' | 'item' | 'code' | 'table'; group: number }

/** The blocks of a text as pieces, in order. Omits headings, and items that have no text. */
export function piecesOf(text: string, blocks: readonly Block[] = markdownBlocks(text)): Piece[] {
  return blocks.flatMap((block, group): Piece[] => {
    const { kind, start, end } = block
    if (kind === 'heading') return []
    if (kind === 'code' || kind === 'table') return [{ kind, start, end, group }]
    const items = kind === 'list' ? itemsOf(text, block) : []
    const first = items[0]?.start ?? end
    const before: Piece[] = first > start ? [{ kind: 'paragraph', start, end: Math.min(end, first), group }] : []
    return [...before, ...items.map((item): Piece => ({ kind: 'item', start: item.start, end: item.end, group }))]
  })
}

/** Abbreviations: their full stop does not end a sentence. */
const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|resp|approx|incl|no|fig|sec|v|mr|mrs|dr|st)\.$/i

/**
 * Sentences of a text, without the white space between them. A sentence ends at a blank line, at `.`, `?` or `!` before
 * white space and a possible sentence start, or at a full-width form, but not in inline code or after an abbreviation.
 */
export function sentencesOf(text: string): Span[] {
  const sentences: Span[] = []
  let start = 0
  for (const match of text.matchAll(/`[^`\n]+`|(?<![.!?])[.!?]+[)\]"'*_]*(?=\s+\S)|[。！？]+|\n[ \t]*\n/gu)) {
    const end = match.index + match[0].length
    if (match[0].startsWith('`') || !endsSentence(text, start, end)) continue
    push(start, end)
    start = end
  }
  push(start, text.length)
  return sentences

  function push(from: number, to: number): void {
    const raw = text.slice(from, to)
    const trimmed = raw.trim()
    if (trimmed === '') return
    const begin = from + raw.indexOf(trimmed)
    sentences.push({ start: begin, end: begin + trimmed.length })
  }
}

function endsSentence(text: string, start: number, end: number): boolean {
  if (/[。！？\n]$/u.test(text.slice(start, end))) return true
  // Lower case continues the sentence: "Node.js vs. deno", "at 5 p.m. every day".
  if (/^\s+\p{Ll}/u.test(text.slice(end, end + 8))) return false
  return !ABBREVIATIONS.test(text.slice(Math.max(start, end - 10), end))
}
