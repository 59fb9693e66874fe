import { headAbove, type Piece, piecesOf, sentencesOf, tableOf, titleAbove } from '#documents/model/read-block.ts'
import type { Block, CodeBlock, Span } from '#documents/model/document.ts'
import { addressInPassage, type Passage } from '#search/passage.ts'
import type { AnswerCitation } from './answer.ts'
import { type AskedTerms, coveredTerms, shareOf } from './asked-terms.ts'
import { isInjection } from './injections.ts'
import { LEADERS, saysSomething } from './units.ts'

/** A part of a passage to show: whole pieces in order, of which the last may be cut. */
export type Quote = {
  passage: Passage
  pieces: QuotedPiece[]
  /** What is left out of the section, in words such as `4 more rows`. Null if the quote is all of it. */
  rest: string | null
}

/** A piece of a passage, with its text as shown: in part for a long table, paragraph or code block. */
type QuotedPiece = Piece & { text: string }

/** An item of the contents of its page. */
const CONTENTS = /^\s*(?:[-*+]|\d+[.)])\s+\[[^\]\n]+\]\(#[^)\n]*\)\s*$/

/** Characters of a piece that can be a repetition. */
const REPEATED = 12

/**
 * The pieces of a passage that say something to a reader: not contents, empty tags, repetitions, facts that only help to
 * find an operation, or text that addresses the model. A piece is a paragraph, an item, a table or a code block.
 */
export function tellingPieces({ passage, blocks, title, headings }: Passage): QuotedPiece[] {
  const named = new Set([title, headings.at(-1)])
  let said = ''
  return piecesOf(passage, blocks).flatMap((piece) => {
    const text = passage.slice(piece.start, piece.end)
    if (isInjection(text)) return []
    if (piece.kind === 'code' || piece.kind === 'table') return [{ ...piece, text }]
    // Many pages repeat their heading, or the text of tabs and cards with other line breaks and marks.
    const letters = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
    const isRepeated = named.has(text) || (letters.length >= REPEATED && said.includes(letters))
    said += ` ${letters}`
    const isNoise = LEADERS.test(text) || CONTENTS.test(text) || isFact(text) || !saysSomething(text)
    return isRepeated || isNoise ? [] : [{ ...piece, text }]
  })
}

/** True for a line of an operation's page that helps to find the operation, and not to use it. */
function isFact(text: string): boolean {
  return /^Operation: `[^`]*`\.$|^Tags: .*\.$/.test(text)
}

/** Characters of pieces with the space between them. */
export function lengthOf(pieces: readonly { text: string }[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length + 2, 0)
}

/**
 * Quotes a passage: all of it, or the best pieces in a row that fit into `most` characters. Of a single longer piece it
 * quotes the best rows or sentences, or the first lines. Null if the passage has nothing to quote.
 */
export function quotePassage(passage: Passage, most: number, asked: AskedTerms): Quote | null {
  const pieces = tellingPieces(passage)
  if (pieces.length === 0) return null
  if (lengthOf(pieces) <= most) return { passage, pieces, rest: null }
  const [from, to] = bestRun(pieces, most, asked)
  const chosen = pieces.slice(from, to + 1)
  const [first] = chosen
  if (first && chosen.length === 1 && first.text.length > most) {
    const { text, rest } = cutPiece(first, most, { asked, blocks: passage.blocks })
    return { passage, pieces: [{ ...first, text }], rest }
  }
  return { passage, pieces: chosen, rest: restOf(pieces, from, to) }
}

/** The best piece, and the pieces around it as far as they fit. A line that ends with a colon stays with what it announces. */
function bestRun(pieces: readonly QuotedPiece[], most: number, asked: AskedTerms): [from: number, to: number] {
  const scores = pieces.map(({ text }) => shareOf(coveredTerms(text, asked), asked))
  const scoreAt = (at: number) => scores[at] ?? -1
  const lengthAt = (at: number) => (pieces[at]?.text.length ?? Infinity) + 2
  const best = scores.indexOf(Math.max(...scores))
  const before = lengthOf(pieces.slice(0, best + 1))
  // The beginning says what the rest is about.
  let from = before <= most ? 0 : best
  let to = best
  let left = most - (before <= most ? before : lengthAt(best))
  for (;;) {
    const up = lengthAt(from - 1) <= left ? scoreAt(from - 1) + (announces(pieces[from - 1]) ? 1 : 0) : -1
    const down = lengthAt(to + 1) <= left ? scoreAt(to + 1) + (announces(pieces[to]) ? 1 : 0) : -1
    if (up < 0 && down < 0) break
    left -= lengthAt(down >= up ? ++to : --from)
  }
  while (to > from && announces(pieces[to])) to--
  return [from, to]
}

function announces(piece: QuotedPiece | undefined): boolean {
  return piece?.kind === 'paragraph' && /[:：]$/.test(piece.text)
}

/** What is left out around a run of pieces: items of its last list, or else more of the section. */
function restOf(pieces: readonly QuotedPiece[], from: number, to: number): string {
  const last = pieces[to]
  const items = pieces.filter(
    ({ kind, group }, at) => kind === 'item' && group === last?.group && (at < from || at > to),
  )
  return last?.kind === 'item' && items.length > 0 ? `${items.length} more ${plural('item', items.length)}` : 'more'
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}

function cutPiece(
  piece: QuotedPiece,
  most: number,
  { asked, blocks }: { asked: AskedTerms; blocks: readonly Block[] },
): { text: string; rest: string } {
  if (piece.kind === 'table') return cutTable(piece.text, most, asked)
  if (piece.kind === 'code') return cutCode(piece, most, blocks)
  const sentences = sentencesOf(piece.text).map((span) => ({
    ...piece,
    text: piece.text.slice(span.start, span.end),
    ...span,
  }))
  const [from, to] = bestRun(sentences, most, asked)
  const [first, last] = [sentences[from], sentences[to]]
  // One sentence that is longer is a list without markup, and stays whole.
  return { text: piece.text.slice(first?.start, last?.end), rest: 'more' }
}

/** The rows with most of the question, in order, as many as fit, below the header and the titles of their groups. */
function cutTable(text: string, most: number, asked: AskedTerms): { text: string; rest: string } {
  const { rows } = tableOf(text, { start: 0, end: text.length })
  const textOf = ({ start, end }: Span) => text.slice(start, end)
  const rated = rows.map((row, at) => ({ at, row, share: shareOf(coveredTerms(textOf(row), asked), asked) }))
  let left = most - (rows[0]?.start ?? 0)
  const chosen = rated
    .toSorted((a, b) => b.share - a.share || a.at - b.at)
    .filter(({ row }, rank) => (left -= row.end - row.start + 1) >= 0 || rank === 0)
    .toSorted((a, b) => a.at - b.at)
  const lines = chosen.map(({ row }, at) => {
    const above = chosen[at - 1]?.row.end
    return (above === undefined ? headAbove(text, 0, row.start) : titleAbove(text, above, row.start)) + textOf(row)
  })
  const omitted = rows.length - chosen.length
  return { text: lines.join('\n'), rest: omitted > 0 ? `${omitted} more ${plural('row', omitted)}` : 'more' }
}

/** The first lines of a code block with its fences. */
function cutCode({ start, text }: QuotedPiece, most: number, blocks: readonly Block[]): { text: string; rest: string } {
  const block = blocks.find((each) => each.kind === 'code' && each.start === start) as CodeBlock | undefined
  const [from, to] = block ? [block.codeStart - start, block.codeEnd - start] : [0, text.length]
  const lines = text.slice(from, to).split('\n')
  let left = most - from
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0)
  // The first line stays, however long it is.
  const shown = lines.slice(0, end < 0 ? lines.length : Math.max(1, end))
  const omitted = lines.length - shown.length
  return {
    text: `${text.slice(0, from)}${shown.join('\n')}${text.slice(to)}`,
    rest: `${omitted} more ${plural('line', omitted)}`,
  }
}

/**
 * Writes a quote with the headings of the page above its parts. The number of the citation ends it, together with what
 * is left out. After a fence or table the number needs a separate line, which must not look like a citation.
 */
export function writeQuote({ passage, pieces, rest }: Quote, n: number, hasHeading = true): string {
  const headings = passage.blocks.filter(({ kind }) => kind === 'heading')
  let from = hasHeading ? 0 : (pieces[0]?.start ?? 0)
  let group = -1
  let text = ''
  for (const piece of pieces) {
    const heading = headings.findLast(({ start }) => start >= from && start < piece.start)
    const gap = text === '' ? '' : piece.kind === 'item' && piece.group === group && !heading ? '\n' : '\n\n'
    const shown = heading && `${escapeMarks(passage.passage.slice(heading.start, heading.end).trim())}\n\n`
    text += `${gap}${shown ?? ''}${piece.kind === 'code' ? piece.text : escapeMarks(piece.text)}`
    from = piece.end
    ;({ group } = piece)
  }
  if (rest !== null) return `${text}\n\n… ${rest} at [${n}]`
  const kind = pieces.at(-1)?.kind
  return kind === 'code' || kind === 'table' ? `${text}\n\n(from [${n}])` : `${text} [${n}]`
}

/** Escapes a literal `[2]` of a page, so that it cannot pass for a citation. Our marks are never inside code. */
export function escapeMarks(text: string): string {
  return text.replaceAll(/`[^`\n]+`|\[\d+\](?![(:])/g, (found) => (found.startsWith('`') ? found : `\\${found}`))
}

/** Characters of the text of a citation. */
const LONGEST_CITED = 600

/** The text of a citation: the quote if it is short, or else its first piece. */
export function citedText({ passage, pieces }: Quote): { text: string; start: number } {
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (!first || !last) return NOTHING
  const isShort = last.end - first.start <= LONGEST_CITED
  const isTogether = addressInPassage(passage, first.start) === addressInPassage(passage, last.start)
  const end = isShort && isTogether ? last.end : Math.min(first.end, first.start + LONGEST_CITED)
  return { text: passage.passage.slice(first.start, end).toWellFormed(), start: first.start }
}

export const NOTHING = { text: '', start: 0 }

/** Cites the place of the text, which can be on a later page of a PDF than the start of the passage. */
export function citation(
  n: number,
  passage: Passage,
  { text, start }: { text: string; start: number },
): AnswerCitation {
  const { title, heading, sourceId, score } = passage
  return { n, title, heading, url: addressInPassage(passage, start), sourceId, quote: text, score }
}
