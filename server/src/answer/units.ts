import { removeSpans } from '#lib/text/remove-spans.ts'
import { replaceLinks } from '#lib/text/replace-links.ts'
import { blocksOf, type Block } from './blocks.ts'
import { sentencesOf, type Span } from './sentences.ts'

/** A quotable piece of a passage, verbatim: `passage.slice(start, end)`. */
export type Unit = Span & {
  kind: 'sentence' | 'item' | 'code' | 'table'
  /** Units of one paragraph, list or table share a group. */
  group: number
}

/** List items and tables of up to this many characters stay whole. */
const WHOLE = 500

/** Splits a passage into sentences, list items, whole code blocks and tables, in order. Omits headings. */
export function unitsOf(markdown: string): Unit[] {
  return blocksOf(markdown).flatMap((block) => {
    const text = markdown.slice(block.start, block.end)
    const kind = block.kind === 'paragraph' ? 'sentence' : block.kind
    return partsOf(block.kind, text)
      .filter(({ start, end }) => saysSomething(text.slice(start, end)))
      .map(({ start, end }) => ({ kind, start: block.start + start, end: block.start + end, group: block.group }))
  })
}

/** False if no words remain after removing images and tags. */
function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(withoutMarkup(text))
}

function withoutMarkup(text: string): string {
  const words = text.includes('](') ? replaceLinks(text, ({ isPicture }) => (isPicture ? '' : null)) : text
  return words.includes('<') ? removeSpans(words, { opening: /<\/?[a-z]/gi, closing: '>' }) : words
}

function partsOf(kind: Block['kind'], text: string): Span[] {
  const whole = { start: 0, end: text.length }
  if (kind === 'code' || (kind !== 'paragraph' && text.length <= WHOLE)) return [whole]
  return kind === 'table' ? rowsOf(text) : sentencesOf(text)
}

/** Rows with content, without the header, which says nothing alone. */
function rowsOf(table: string): Span[] {
  const rows = [...table.matchAll(/^.*[^\s|:-].*/gm)]
  return rows.slice(1).map(({ index, 0: row }) => ({ start: index, end: index + row.length }))
}
