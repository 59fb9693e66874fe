import { collapse } from './one-line.ts'

/**
 * Collects the inline content of one paragraph as Markdown. White space collapses as browsers do it, across elements;
 * marks (`**`, `*`, links) close around their text without taking the blanks at its edges in.
 */
export type InlineText = ReturnType<typeof createInlineText>

export function createInlineText() {
  let pieces: string[] = []
  /** Open marks: index of the first piece inside, and what opens it. */
  let open: { from: number; mark: string }[] = []
  /** The text so far is empty or ends in white space, so that a blank more would double it. */
  let blankEnd = true
  let length = 0

  return {
    /** Characters so far, marks not counted. */
    get length() {
      return length
    },
    /** A line break was the last thing added. */
    get brokenOff() {
      return pieces.at(-1) === '\n'
    },
    add(raw: string) {
      let piece = collapse(raw)
      if (blankEnd && piece.startsWith(' ')) piece = piece.slice(1)
      if (piece === '') return
      pieces.push(piece)
      length += piece.length
      blankEnd = piece.endsWith(' ')
    },
    /** Adds Markdown that is complete in itself, such as inline code or an image. */
    addMarkdown(markdown: string) {
      if (markdown === '') return
      pieces.push(markdown)
      length += markdown.length
      blankEnd = false
    },
    lineBreak() {
      pieces.push('\n')
      blankEnd = true
    },
    openMark(mark: string) {
      open.push({ from: pieces.length, mark })
    },
    /** Closes the innermost mark. `after` differs from what opened it for links: `[` … `](url)`. */
    closeMark(after: string) {
      const begun = open.pop()
      if (begun === undefined) return
      const inner = pieces.splice(begun.from).join('')
      const core = inner.trim()
      if (core === '') {
        if (inner !== '') pieces.push(inner)
        return
      }
      const lead = inner.length - inner.trimStart().length
      const trail = inner.slice(lead + core.length)
      pieces.push(`${inner.slice(0, lead)}${begun.mark}${core}${after}${trail}`)
    },
    /** The paragraph so far, and an empty one in its place; marks that are open go on in the next. */
    take(): string {
      const taken = pieces.join('').trim()
      pieces = []
      length = 0
      open = open.map((mark) => ({ ...mark, from: 0 }))
      blankEnd = true
      return taken
    },
  }
}
