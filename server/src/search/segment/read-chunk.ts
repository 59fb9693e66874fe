import type { HeadingBlock, Span } from '#documents/model/document.ts'
import type { Chunk } from '#search/page.ts'

/** Callbacks for the parts of a chunk's Markdown, as offsets into the page. */
export type ChunkReader = {
  /** Prose, including headings. `isPlain` is false for headings and code within a line. */
  body(start: number, end: number, isPlain: boolean): void
  code(start: number, end: number): void
  /** Text of a heading, which is also passed to `body`. */
  heading(start: number, end: number): void
}

/** Passes the text of a chunk to a reader by kind. Omits link targets and fence lines. */
export function readChunk(markdown: string, { blocks }: Chunk, reader: ChunkReader): void {
  for (const block of blocks) {
    if (block.kind === 'code') {
      if (block.codeEnd > block.codeStart) reader.code(block.codeStart, block.codeEnd)
      continue
    }
    if (block.kind === 'heading') {
      reader.heading(headingStart(markdown, block), block.end)
      readProse(markdown, block, (start, end) => reader.body(start, end, false))
    } else readProse(markdown, block, (start, end) => readPieces(markdown, start, end, reader))
  }
}

/** Start of the text of a heading, after its marks. */
function headingStart(markdown: string, { start, level, continues }: HeadingBlock): number {
  return continues ? start : markdown.indexOf('#', start) + level
}

/** Calls back with the prose of a block, without link targets. */
function readProse(markdown: string, { start, end }: Span, onProse: (start: number, end: number) => void): void {
  let at = start
  for (let link = nextLink(markdown, at); link < end; link = nextLink(markdown, at)) {
    onProse(at, link)
    at = Math.min(endOfTarget(markdown, link), end)
  }
  if (at < end) onProse(at, end)
}

const BACKTICK = 96

/** Divides prose at backticks. Those without a partner only change which words are plain. */
function readPieces(markdown: string, start: number, end: number, reader: ChunkReader): void {
  let isPlain = true
  let from = start
  for (let at = start; at < end; at++) {
    if (markdown.charCodeAt(at) !== BACKTICK) continue
    if (at > from) reader.body(from, at, isPlain)
    while (at + 1 < end && markdown.charCodeAt(at + 1) === BACKTICK) at++
    from = at + 1
    isPlain = !isPlain
  }
  if (end > from) reader.body(from, end, isPlain)
}

/** Start of the next link target. */
function nextLink(markdown: string, from: number): number {
  const at = markdown.indexOf('](', from)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

/** A target ends on its line. */
function endOfTarget(markdown: string, link: number): number {
  const newline = markdown.indexOf('\n', link)
  const close = markdown.indexOf(')', link)
  if (newline >= 0 && (close < 0 || close > newline)) return close < 0 ? link + 2 : newline
  return close < 0 ? link + 2 : close + 1
}
