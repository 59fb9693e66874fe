import type { Span } from '#documents/model/document.ts'
import { type Chunk, codeIn, type CodeSpan } from './page.ts'

/** Shorter passages say too little to be worth a citation. */
const LEAST = 240

/** Bytes that a passage may use beyond its share to include text announced by its heading or first sentence. */
const GRACE = 2_000

type Limits = {
  /** Share of this passage, in bytes of UTF-8. */
  bytes: number
  /** Bytes left for this and all further passages. */
  left: number
}

/** End offset of a passage in the text of its page, and its length in bytes of UTF-8. */
type Cut = { end: number; bytes: number }

/**
 * Truncates a passage to its share. Cuts at the end of a block: a blank line outside code, or a list item. Avoids a cut
 * after a heading or a sentence that announces the next block, if there is room for that. Always keeps the whole first
 * block, so that no passage is empty and no fence is broken.
 */
export function cutPassage(
  markdown: string,
  { start, end, blocks }: Pick<Chunk, 'start' | 'end' | 'blocks'>,
  { bytes, left }: Limits,
): Cut {
  const whole = { end, bytes: Buffer.byteLength(markdown.slice(start, end)) }
  if (whole.bytes <= bytes) return whole
  const most = Math.max(LEAST, bytes)
  let cut: Cut | null = null
  let full: Cut | null = null
  let size = 0
  let from = start
  const headingEnds = new Set(blocks.flatMap((block) => (block.kind === 'heading' ? [block.end] : [])))
  for (const at of blockEnds(markdown, { start, end, code: codeIn(blocks) })) {
    size += Buffer.byteLength(markdown.slice(from, at))
    from = at
    if (full && size > most) break
    if (cut && size > Math.max(most, Math.min(left, GRACE))) break
    cut = { end: at, bytes: size }
    if (markdown[at - 1] !== ':' && !headingEnds.has(at)) full = cut
  }
  return full ?? cut ?? whole
}

/** Offsets of block ends. The last one is the end of the passage. */
function* blockEnds(markdown: string, { start, end, code }: Span & { code: readonly CodeSpan[] }): Generator<number> {
  for (let at = markdown.indexOf('\n', start); at >= 0 && at < end; at = markdown.indexOf('\n', at + 1)) {
    if (at === start || isInside(code, at)) continue
    if (markdown[at + 1] === '\n' ? markdown[at - 1] !== '\n' : isItem(markdown, at + 1)) yield at
  }
  yield end
}

/** True at the start of a top-level list item. */
function isItem(markdown: string, at: number): boolean {
  return /^(?:[-*+]|\d{1,3}[.)])[ \t]/.test(markdown.slice(at, at + 6))
}

/** Includes the closing fence, on the line after the code. */
function isInside(code: readonly CodeSpan[], at: number): boolean {
  return code.some((block) => at >= block.start - 1 && at <= block.end)
}
