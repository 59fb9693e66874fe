/** A code block of a page. */
export type Fence = {
  /** Language given by the page, or null. */
  language: string | null
  text: string
  /** Offset of the text. */
  body: number
  /** Offsets of the block with its fences. */
  start: number
  end: number
}

/** The fenced code blocks of a Markdown text, in order. An unclosed fence extends to the end. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: { start: number; body: number; mark: string; language: string | null } | null = null
  for (const { index, line, mark, info } of markLines(markdown)) {
    const after = Math.min(markdown.length, index + line.length + 1)
    if (open === null) {
      open = { start: index, body: after, mark, language: /[\w+#.-]+/.exec(info)?.[0] ?? null }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push(finish(open, index - 1, index + line.length))
      open = null
    }
  }
  if (open !== null) fences.push(finish(open, markdown.length, markdown.length))
  return fences

  function finish({ start, body, language }: NonNullable<typeof open>, last: number, end: number): Fence {
    return { language, text: markdown.slice(body, Math.max(body, last)), body, start, end }
  }
}

/** Replaces each code block of a text with a blank line. */
export function withoutFences(markdown: string): string {
  const fences = fencesOf(markdown)
  if (fences.length === 0) return markdown
  const parts = fences.map(({ start }, at) => markdown.slice(fences[at - 1]?.end ?? 0, start))
  return [...parts, markdown.slice(fences.at(-1)?.end ?? 0)].join('\n\n')
}

const MARKS = ['```', '~~~']
const MARK_LINE = /[ \t]*(`{3,}|~{3,})(.*)/my

type MarkLine = { index: number; line: string; mark: string; info: string }

/**
 * Lines that begin with a fence mark. Searches for the mark with `indexOf`, which is faster on a long page than a
 * pattern tried on every line.
 */
function* markLines(markdown: string): Generator<MarkLine> {
  const next = MARKS.map((mark) => markdown.indexOf(mark))
  for (let from = 0; ;) {
    for (const [which, mark] of MARKS.entries()) {
      const known = next[which] ?? -1
      if (known >= 0 && known < from) next[which] = markdown.indexOf(mark, from)
    }
    const at = Math.min(...next.filter((found) => found >= 0))
    if (at === Infinity) return
    const index = lineStart(markdown, at)
    from = at + 3
    if (index === null) continue
    MARK_LINE.lastIndex = index
    const [line = '', mark = '', info = ''] = MARK_LINE.exec(markdown) ?? []
    if (line === '') continue
    from = index + line.length
    yield { index, line, mark, info }
  }
}

/** Start of the line that contains `at`, or null if anything but blanks precedes `at` on it. */
function lineStart(markdown: string, at: number): number | null {
  let start = at
  while (markdown[start - 1] === ' ' || markdown[start - 1] === '\t') start--
  return start === 0 || /[\n\r\u2028\u2029]/.test(markdown[start - 1] ?? '') ? start : null
}
