/** A Markdown link or image: `[label](target)`, with a leading `!` for an image. */
export type InlineLink = { label: string; target: string; isPicture: boolean }

/** Replaces links and images in linear time. If `replace` returns null, the link stays and its content is searched. */
export function replaceLinks(text: string, replace: (link: InlineLink) => string | null): string {
  const closeLabel = createFinder(text, ']')
  const closeTarget = createFinder(text, ')')
  let result = ''
  let copied = 0
  for (let open = text.indexOf('['); open >= 0;) {
    const label = closeLabel(open + 1)
    if (label < 0) break
    let next = open + 1
    if (text[label + 1] === '(') {
      const end = closeTarget(label + 2)
      if (end < 0) break
      const isPicture = open > copied && text[open - 1] === '!'
      const replacement = replace({ label: text.slice(open + 1, label), target: text.slice(label + 2, end), isPicture })
      if (replacement !== null) {
        result += text.slice(copied, isPicture ? open - 1 : open) + replacement
        copied = end + 1
        next = copied
      }
    } else {
      next = label + 1
    }
    open = text.indexOf('[', next)
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** Changes the text outside inline code. */
export function outsideCode(text: string, change: (prose: string) => string): string {
  const parts = text.split(/(`[^`\n]+`)/)
  return parts.map((part, index) => (index % 2 === 1 ? part : change(part))).join('')
}

/** Finds the next occurrence of `mark` from a position, or -1. Positions must not decrease. */
function createFinder(text: string, mark: string): (from: number) => number {
  let known = -2
  return (from) => {
    if (known === -2 || (known >= 0 && known < from)) known = text.indexOf(mark, from)
    return known
  }
}

/** Removes spans from a match of global `opening` to `closing`, but not past `stop`, such as tags. Linear time. */
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

/** The text of a Markdown heading without closing marks: `Setup` of `Setup ##`. Never empty for non-empty text. */
export function headingText(text: string): string {
  return text.replace(/(?<!#)#+$/, '').trimEnd() || text.slice(0, 1)
}
