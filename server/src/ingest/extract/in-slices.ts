/**
 * Bytes that one built-in function may be given of a page. V8 can end a thread that reaches its memory limit between
 * two steps of JavaScript, but not inside a built-in that makes an array of a million matches: that ends the process.
 */
export const SLICE = 1 << 16

/** Applies a replacement to a text of any length piece by piece; pairs of `\r\n` and of surrogates stay together. */
export function inSlices(text: string, replace: (slice: string) => string): string {
  if (text.length <= SLICE) return replace(text)
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + SLICE, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && (last === 13 || (last >= 0xd800 && last < 0xdc00))) end--
    parts.push(replace(text.slice(at, end)))
    at = end
  }
  return parts.join('')
}
