import type { HeadingBlock } from '#documents/model/document.ts'
import type { Chunk } from '#search/page.ts'

/** Callbacks for the parts of a chunk's Markdown, as offsets into the page. */
export type ChunkReader = {
  /** Prose, including headings. */
  body(start: number, end: number): void
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
    if (block.kind === 'heading') reader.heading(headingStart(markdown, block), block.end)
    readProse(markdown, block.start, block.end, reader)
  }
}

/** Start of the text of a heading, after its marks. */
function headingStart(markdown: string, { start, level, continues }: HeadingBlock): number {
  return continues ? start : markdown.indexOf('#', start) + level
}

function readProse(markdown: string, start: number, end: number, reader: ChunkReader): void {
  let at = start
  for (let link = nextLink(markdown, at); link < end; link = nextLink(markdown, at)) {
    reader.body(at, link)
    at = Math.min(endOfTarget(markdown, link), end)
  }
  if (at < end) reader.body(at, end)
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
