import type { Block, Span } from '#documents/model/document.ts'
import { type Piece, piecesOf, sentencesOf } from '#documents/model/read-block.ts'
import { removeSpans, replaceLinks } from '#lib/text/replace-links.ts'

/** A quotable piece of a passage, verbatim: `passage.slice(start, end)`. */
type Unit = Span & {
  kind: 'sentence' | 'item' | 'code' | 'table'
  /** Units of one paragraph, list or table share a group. */
  group: number
}

/** List items and tables of up to this many characters stay whole. */
const WHOLE = 500

/** Dots between an entry and its page number in the contents or index of a book. */
export const LEADERS = /(?:\.\s?){6}/

/** Splits a passage into sentences, list items, whole code blocks and tables, in order. Omits headings and contents. */
export function unitsOf(markdown: string, blocks: readonly Block[]): Unit[] {
  return piecesOf(markdown, blocks).flatMap((block) => {
    const text = markdown.slice(block.start, block.end)
    if (block.kind !== 'code' && LEADERS.test(text)) return []
    const kind = block.kind === 'paragraph' ? 'sentence' : block.kind
    return partsOf(block.kind, text)
      .filter(({ start, end }) => saysSomething(text.slice(start, end)))
      .map(({ start, end }) => ({ kind, start: block.start + start, end: block.start + end, group: block.group }))
  })
}

/** False if no words remain after removing images and tags. */
export function saysSomething(text: string): boolean {
  const words = text.includes('](') ? replaceLinks(text, ({ isPicture }) => (isPicture ? '' : null)) : text
  const plain = words.includes('<') ? removeSpans(words, { opening: /<\/?[a-z]/gi, closing: '>' }) : words
  return /[\p{L}\p{N}]{2}/u.test(plain)
}

function partsOf(kind: Piece['kind'], text: string): Span[] {
  const whole = { start: 0, end: text.length }
  if (kind === 'code' || (kind !== 'paragraph' && text.length <= WHOLE)) return [whole]
  return kind === 'table' ? rowsOf(text) : sentencesOf(text).flatMap((span) => linesOf(text, span))
}

/** Splits a long sentence at its line ends: it is a list without markup. */
function linesOf(text: string, span: Span): Span[] {
  if (span.end - span.start <= WHOLE) return [span]
  const lines = text.slice(span.start, span.end).matchAll(/\S.*/g)
  return [...lines].map(({ index, 0: line }) => ({
    start: span.start + index,
    end: span.start + index + line.trimEnd().length,
  }))
}

/** Rows with content, without the header, which says nothing alone. */
function rowsOf(table: string): Span[] {
  const rows = [...table.matchAll(/^.*[^\s|:-].*/gm)]
  return rows.slice(1).map(({ index, 0: row }) => ({ start: index, end: index + row.length }))
}
