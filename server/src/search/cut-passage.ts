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

/** Where a passage ends in the text of its page, and how many bytes of UTF-8 it has up to there. */
type Cut = { end: number; bytes: number }

/**
 * Where a passage has to end so that it keeps to its share: at the end of a block (a blank line outside code, or an item
 * of a list), and not after a heading or a sentence that announces what comes next, if there is room for that. The first
 * block is shown whole whatever its size, so that a passage is never empty and no fence is broken.
 */
export function cutPassage(markdown: string, { start, end, code }: Chunk, { bytes, left }: Limits): Cut {
  const whole = { end, bytes: Buffer.byteLength(markdown.slice(start, end)) }
  if (whole.bytes <= bytes) return whole
  const most = Math.max(LEAST, bytes)
  let cut: Cut | null = null
  let full: Cut | null = null
  let size = 0
  let from = start
  for (const at of blockEnds(markdown, { start, end, code })) {
    size += Buffer.byteLength(markdown.slice(from, at))
    from = at
    if (full && size > most) break
    if (cut && size > Math.max(most, Math.min(left, GRACE))) break
    cut = { end: at, bytes: size }
    if (!isAnnouncing(markdown, start, at)) full = cut
  }
  return full ?? cut ?? whole
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

/** Whether the last line before a block's end leads to what comes next. */
function isAnnouncing(markdown: string, start: number, end: number): boolean {
  if (markdown[end - 1] === ':') return true
  const line = Math.max(start, markdown.lastIndexOf('\n', end - 1) + 1)
  return markdown[line] === '#' && /^#{1,6}\s/.test(markdown.slice(line, line + 8))
}

/** The line after a block's code is its closing fence. */
function isInside(code: Chunk['code'], at: number): boolean {
  return code.some((block) => at >= block.start - 1 && at <= block.end)
}
