import type { Chunk } from './page.ts'

/** A passage shorter than this says too little to be worth its citation. */
const LEAST = 240

/** How much a passage may exceed its share in order to say what its heading or its first sentence announces. */
const GRACE = 2_000

type Limits = {
  /** The share of a passage, in bytes of UTF-8. */
  bytes: number
  /** What there is for all that are still to come. */
  left: number
}

/**
 * Where a passage has to end so that it keeps to its share: at the end of a block (a blank line outside code, or an item
 * of a list), and not after a heading or a sentence that announces what comes next, if there is room for that. The first
 * block is shown whole whatever its size, so that a passage is never empty and no fence is broken.
 */
export function cutPassage(markdown: string, { start, end, code }: Chunk, { bytes, left }: Limits): number {
  const sizeTo = (at: number) => Buffer.byteLength(markdown.slice(start, at))
  if (sizeTo(end) <= bytes) return end
  const most = Math.max(LEAST, bytes)
  let cut = -1
  let full = -1
  for (const at of blockEnds(markdown, { start, end, code })) {
    const size = sizeTo(at)
    if (full >= 0 && size > most) break
    if (cut >= 0 && size > Math.max(most, Math.min(left, GRACE))) break
    cut = at
    if (!isAnnouncing(markdown.slice(start, at))) full = at
  }
  return full >= 0 ? full : cut < 0 ? end : cut
}

/** Ends of blocks, the last one being that of the passage. */
function* blockEnds(markdown: string, { start, end, code }: Pick<Chunk, 'start' | 'end' | 'code'>): Generator<number> {
  for (let at = markdown.indexOf('\n', start); at >= 0 && at < end; at = markdown.indexOf('\n', at + 1)) {
    if (at === start || isInside(code, at)) continue
    if (markdown[at + 1] === '\n' ? markdown[at - 1] !== '\n' : isItem(markdown, at + 1)) yield at
  }
  yield end
}

/** The beginning of an item that stands in no other. */
function isItem(markdown: string, at: number): boolean {
  return /^(?:[-*+]|\d{1,3}[.)])[ \t]/.test(markdown.slice(at, at + 6))
}

/** Whether what a text ends with leads to what comes next. */
function isAnnouncing(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n', text.trimEnd().length - 1) + 1).trim()
  return last.endsWith(':') || /^#{1,6}\s/.test(last)
}

/** The line after a block's code is its closing fence. */
function isInside(code: Chunk['code'], at: number): boolean {
  return code.some((block) => at >= block.start - 1 && at <= block.end)
}
