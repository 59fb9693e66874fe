import { removeSpans } from '#lib/remove-spans.ts'
import { replaceLinks } from '#lib/replace-links.ts'
import { blocksOf, type Block } from './blocks.ts'
import { sentencesOf, type Span } from './sentences.ts'

/** A piece of a passage that can stand in an answer, verbatim: `passage.slice(start, end)`. */
export type Unit = Span & {
  kind: 'sentence' | 'item' | 'code' | 'table'
  /** Units of one paragraph, list or table share a group. */
  group: number
}

/** List items and tables of up to this many characters stay whole. */
const WHOLE = 500

/** The pieces of a passage in order: sentences, list items, whole code blocks, tables. Headings are left out. */
export function unitsOf(markdown: string): Unit[] {
  return blocksOf(markdown).flatMap((block) => {
    const text = markdown.slice(block.start, block.end)
    const kind = block.kind === 'paragraph' ? 'sentence' : block.kind
    return partsOf(block.kind, text)
      .filter(({ start, end }) => saysSomething(text.slice(start, end)))
      .map(({ start, end }) => ({ kind, start: block.start + start, end: block.start + end, group: block.group }))
  })
}

/** False for what is left without words once images and tags are taken out. */
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

/** Rows with content, but for the first, which names the columns and alone says nothing. */
function rowsOf(table: string): Span[] {
  const rows = [...table.matchAll(/^.*[^\s|:-].*/gm)]
  return rows.slice(1).map(({ index, 0: row }) => ({ start: index, end: index + row.length }))
}
