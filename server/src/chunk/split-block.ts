import type { Block, Span } from '#documents/model/document.ts'

/**
 * Splits a block longer than `most` at the best boundaries: blank lines, then lines of code; rows of a table; items,
 * then lines of a list; sentences, then words of prose. A block that fits is returned whole.
 */
export function splitBlock(markdown: string, block: Block, most: number): Span[] {
  if (block.end - block.start <= most) return [{ start: block.start, end: block.end }]
  const spans: Span[] = []
  let start = block.start
  while (block.end - start > most) {
    const cut = bestCut(markdown, start, start + most, BOUNDARIES[block.kind])
    spans.push({ start, end: trimEnd(markdown, start, cut) })
    start = skipBreaks(markdown, cut, block.end)
  }
  if (start < block.end) spans.push({ start, end: block.end })
  return spans
}

/** Boundaries before which a new piece may begin, best first. Each pattern matches just before that position. */
const LINE = /\n/g
const WORD = /\s/g
const PROSE = [LINE, /[.!?]\s|[。！？]/g, WORD]
const BOUNDARIES: Record<Block['kind'], RegExp[]> = {
  code: [/\n(?:[ \t]*\n)+/g, LINE, WORD],
  table: [LINE, WORD],
  list: [/\n(?=(?:> )?(?:[-*+:]|\d{1,9}[.)]) )/g, /\n(?=[ \t]*(?:[-*+:]|\d{1,9}[.)]) )/g, LINE, /[.!?]\s/g, WORD],
  paragraph: PROSE,
  definition: PROSE,
  callout: PROSE,
  image: PROSE,
  heading: [WORD],
}

/** Minimum share of the available size for a piece, if another kind of boundary gives a longer one. */
const LEAST_SHARE = 0.4

function bestCut(markdown: string, start: number, limit: number, boundaries: RegExp[]): number {
  const window = markdown.slice(start, limit)
  let fallback = 0
  for (const boundary of boundaries) {
    let last = 0
    for (const match of window.matchAll(boundary)) last = match.index + match[0].length
    if (last >= LEAST_SHARE * window.length) return start + last
    fallback = Math.max(fallback, last)
  }
  if (fallback > 0) return start + fallback
  // A single overlong word: cut anywhere but inside a surrogate pair.
  const code = markdown.charCodeAt(limit - 1)
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit
}

function trimEnd(markdown: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlank(markdown.charCodeAt(at - 1))) at--
  return at === start ? end : at
}

/** Skips blank lines between pieces, but keeps the indentation of the next line. */
function skipBreaks(markdown: string, from: number, end: number): number {
  let at = from
  let lineStart = from
  while (at < end && isBlank(markdown.charCodeAt(at))) {
    at++
    if (markdown[at - 1] === '\n') lineStart = at
  }
  return at === end ? end : lineStart
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 9
}
