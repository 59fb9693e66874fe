import type { Chunk } from '#search/page.ts'

/** Callbacks for the parts of a chunk's Markdown, as offsets into the page. */
export type ChunkReader = {
  /** Prose, including headings. */
  body(start: number, end: number): void
  code(start: number, end: number): void
  /** Text of a heading, which is also passed to `body`. */
  heading(start: number, end: number): void
}

const HASH = 35
const BACKTICK = 96
const TILDE = 126

/** Passes the text of a chunk to a reader by kind. Omits link targets and fence lines. */
export function readChunk(markdown: string, chunk: Chunk, reader: ChunkReader): void {
  let at = chunk.start
  for (const block of chunk.code) {
    readProse(markdown, at, block.start, reader)
    reader.code(block.start, block.end)
    at = block.end
  }
  readProse(markdown, at, chunk.end, reader)
}

function readProse(markdown: string, start: number, end: number, reader: ChunkReader): void {
  let link = nextLink(markdown, start)
  for (let at = start; at < end;) {
    const newline = markdown.indexOf('\n', at)
    const lineEnd = newline < 0 || newline > end ? end : newline
    const first = markdown.charCodeAt(at)
    if (first === HASH) {
      const text = afterHashes(markdown, at)
      if (text > at) reader.heading(text, lineEnd)
    }
    if (!isFence(markdown, at, first)) {
      for (let from = at; from < lineEnd;) {
        const to = Math.min(link, lineEnd)
        reader.body(from, to)
        from = to
        if (to === link) {
          from = Math.min(endOfTarget(markdown, link), lineEnd)
          link = nextLink(markdown, from)
        }
      }
    }
    at = lineEnd + 1
  }
}

/** Start of the next link target. */
function nextLink(markdown: string, from: number): number {
  const at = markdown.indexOf('](', from)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}

function endOfTarget(markdown: string, link: number): number {
  const close = markdown.indexOf(')', link)
  return close < 0 ? link + 2 : close + 1
}

function afterHashes(markdown: string, start: number): number {
  let at = start
  while (markdown.charCodeAt(at) === HASH && at - start < 6) at++
  return markdown[at] === ' ' ? at : start
}

function isFence(markdown: string, at: number, first: number): boolean {
  if (first !== BACKTICK && first !== TILDE) return false
  return markdown.charCodeAt(at + 1) === first && markdown.charCodeAt(at + 2) === first
}
