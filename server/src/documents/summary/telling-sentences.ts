import { oneLine } from '#lib/text/one-line.ts'
import { removeSpans } from '#lib/text/replace-links.ts'
import type { Block, Span } from '../model/document.ts'
import { definitionsOf, itemsOf, sentencesOf } from '../model/read-block.ts'

/** A sentence of a text, verbatim except for line breaks, and its offset there. */
export type Sentence = { text: string; start: number }

/** Bounds in characters: shorter sentences say too little, longer ones too much. */
const LEAST = 30
const MOST = 400
/** Fewer letters beside links, code and labels say nothing. */
const LEAST_BESIDE = 12
/** Sentences read of one part. A summary shows a few. */
const MOST_READ = 40

/**
 * The sentences of a part of a page that tell something, in order: those of its paragraphs, or else of its items and
 * definitions, or else the introductions of its code and lists. Linear in the length of the blocks.
 */
export function tellingSentences(text: string, blocks: readonly Block[]): Sentence[] {
  const paragraphs = blocks.filter(({ kind }) => kind === 'paragraph')
  const own = sentencesIn(text, paragraphs)
  const whole = own.filter(({ text: sentence }) => !sentence.endsWith(':'))
  if (whole.length > 0) return whole
  const listed = blocks.flatMap((block) => itemsIn(text, block)).slice(0, MOST_READ)
  const items = sentencesIn(text, listed).filter(({ text: sentence }) => /^[^\p{Ll}]/u.test(sentence))
  return items.length > 0 ? items : own
}

/** Texts of the items of a list, or of the definitions of a block. */
function itemsIn(text: string, block: Block): Span[] {
  if (block.kind === 'list') return itemsOf(text, block).map(({ body, end }) => ({ start: body, end }))
  return block.kind === 'definition' ? definitionsOf(text, block).map(({ body }) => body) : []
}

function sentencesIn(text: string, spans: readonly Span[]): Sentence[] {
  const found: Sentence[] = []
  for (const { start, end } of spans) {
    const piece = text.slice(start, end)
    // A picture, a tag or the mark of a callout.
    if (/^\s*(?:\[?!\[|<|>)/.test(piece)) continue
    for (const span of sentencesOf(piece)) {
      const sentence = oneLine(piece.slice(span.start, span.end))
      if (isTelling(sentence)) found.push({ text: sentence, start: start + span.start })
    }
    if (found.length >= MOST_READ) break
  }
  return found
}

/** False for a fragment, a link, a label or a title without heading marks: `**Using ACLs and fetching samples**`. */
function isTelling(sentence: string): boolean {
  const visible = removeSpans(sentence, { opening: /\]\(/g, closing: ')' })
  if (visible.length < LEAST || sentence.length > MOST || /^!?\[!\[/.test(sentence)) return false
  if (/^\W*(?:related|see also|note|tip|read more|more)\b[^.]{0,80}$/i.test(sentence)) return false
  // List items may lack a full stop, but a few words without one are a label.
  if (!/[.!?。！？:)`*]$/u.test(sentence) && sentence.split(' ').length < 7) return false
  if (/^\*\*[^*]{1,200}\*\*$/.test(sentence) && !/[.!?:。！？]\*\*$/.test(sentence)) return false
  // A part of a link, whose text has a full stop.
  if (/\]\(/.test(sentence.replaceAll(/\[[^[\]]*\]\(/g, ''))) return false
  const beside = removeSpans(sentence, { opening: /\[/g, closing: ')' }).replaceAll(/`[^`]*`|\*\*[^*]*\*\*/g, '')
  return beside.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= LEAST_BESIDE
}
