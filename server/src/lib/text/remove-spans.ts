/**
 * Removes spans from a match of `opening` to the first `closing` after it, such as tags and comments. With `stop`, a
 * span does not extend past a match of it: `<a` at the end of a line is no tag. `opening` must be global. Runs in
 * linear time, whereas a regular expression would search for the closing mark from every opening one.
 */
export function removeSpans(
  text: string,
  { opening, closing, stop }: { opening: RegExp; closing: string; stop?: string },
): string {
  let result = ''
  let copied = 0
  let close = -2
  let stopAt = -2
  for (const { index, 0: mark } of text.matchAll(opening)) {
    if (index < copied) continue
    const from = index + mark.length
    if (close < from) close = text.indexOf(closing, from)
    if (close < 0) break
    if (stop !== undefined && stopAt < from && stopAt !== -1) stopAt = text.indexOf(stop, from)
    if (stopAt >= 0 && stopAt < close) continue
    result += text.slice(copied, index)
    copied = close + closing.length
  }
  return copied === 0 ? text : result + text.slice(copied)
}
