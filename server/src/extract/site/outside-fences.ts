type Line = { line: string; start: number; end: number }

/** Yields the lines of a Markdown text outside fenced code, with offsets and without line ends. */
export function* outsideFences(text: string): Generator<Line> {
  let fence: string | null = null
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found + 1
    const line = text.slice(start, found < 0 ? next : found).replace(/\r$/, '')
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      // CommonMark 4.5: a closing fence has at least as many of the same character, and nothing else on its line.
      if (marker?.startsWith(fence) && /^ {0,3}[`~]+\s*$/.test(line)) fence = null
    } else if (marker) fence = marker
    else yield { line, start, end: next }
    start = next
  }
}
