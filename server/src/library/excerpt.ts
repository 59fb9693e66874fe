/** A line with only a picture. */
const PICTURE = /^[ \t]*!\[[^\]\n\r\u2028\u2029]*\]\([^)\n\r\u2028\u2029]*\)[ \t]*$/gm
/** Marks a truncated text. */
const MORE = '…'

/**
 * The beginning of a Markdown text, in about `limit` characters. Cuts after a block if one ends in the second half,
 * else after a line, else after a word. Closes a truncated code fence. Omits pictures and repeated blank lines.
 */
export function excerpt(markdown: string, limit: number): string {
  // Bounds the work on very long texts.
  const text = markdown
    .slice(0, limit * 3)
    .replaceAll(PICTURE, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (text.length <= limit && markdown.length <= limit * 3) return text
  const cut = cutAt(text, limit)
  const kept = text.slice(0, cut).toWellFormed().trimEnd()
  const fence = openFence(kept)
  return fence === null ? `${kept}\n\n${MORE}` : `${kept}\n${MORE}\n${fence}`
}

function cutAt(text: string, limit: number): number {
  const block = lastBreak(text, '\n\n', limit, (at) => openFence(text.slice(0, at)) === null)
  if (block >= limit / 2) return block
  const line = text.lastIndexOf('\n', limit)
  if (line >= limit / 2) return line
  const word = text.lastIndexOf(' ', limit)
  return word >= limit / 2 ? word : limit
}

function lastBreak(text: string, mark: string, from: number, isGood: (at: number) => boolean): number {
  for (let at = text.lastIndexOf(mark, from); at > 0; at = text.lastIndexOf(mark, at - 1)) {
    if (isGood(at)) return at
    if (at < from / 2) break
  }
  return -1
}

/** Mark of the fence still open at the end of a text, or null. */
function openFence(text: string): string | null {
  let open: string | null = null
  for (const [, mark = '', rest = ''] of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)/gm)) {
    if (open === null) open = mark
    else if (mark.startsWith(open) && rest.trim() === '') open = null
  }
  return open
}
