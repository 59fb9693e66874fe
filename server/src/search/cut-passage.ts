import type { Chunk } from './page.ts'

/** A passage shorter than this says too little to be worth its citation. */
const LEAST = 240

/**
 * Where a passage has to end so that at most `bytes` of UTF-8 are shown: at the end of a block (a blank line) outside
 * code. The first block is shown whole whatever its size, so that a passage is never empty and no fence is broken.
 */
export function cutPassage(markdown: string, { start, end, code }: Chunk, bytes: number): number {
  if (Buffer.byteLength(markdown.slice(start, end)) <= bytes) return end
  const most = Math.max(LEAST, bytes)
  let cut = -1
  for (let at = markdown.indexOf('\n\n', start); at >= 0 && at < end; at = markdown.indexOf('\n\n', at + 2)) {
    if (at === start || isInside(code, at)) continue
    if (cut >= 0 && Buffer.byteLength(markdown.slice(start, at)) > most) break
    cut = at
  }
  return cut < 0 ? end : cut
}

/** The line after a block's code is its closing fence. */
function isInside(code: Chunk['code'], at: number): boolean {
  return code.some((block) => at >= block.start - 1 && at <= block.end)
}
