/** Page text per built-in function. V8 cannot stop a thread inside one, and a large array ends the process. */
export const SLICE = 1 << 16

/** Applies a replacement to text of any length, slice by slice. Does not split `\r\n` or surrogate pairs. */
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
