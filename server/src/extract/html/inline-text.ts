import { collapse } from '../one-line.ts'

/**
 * Collects the inline content of one paragraph as Markdown. Collapses white space as browsers do, across elements.
 * Marks (`**`, `*`, links) enclose the text without the spaces at its edges.
 */
export type InlineText = ReturnType<typeof createInlineText>

export function createInlineText() {
  let pieces: string[] = []
  /** Open marks: index of the first piece inside, and the opening mark. */
  let open: { from: number; mark: string }[] = []
  /** True if the text is empty or ends in white space, so another space would be a duplicate. */
  let blankEnd = true
  let length = 0

  /** Encloses the pieces since the mark was opened, unless an enclosing mark is of the same kind. */
  const surround = ({ from, mark }: { from: number; mark: string }, after: string) => {
    const inner = pieces.splice(from).join('')
    const core = inner.trim()
    if (core === '' || open.some((outer) => outer.mark === mark)) {
      if (inner !== '') pieces.push(inner)
      return
    }
    const lead = inner.length - inner.trimStart().length
    const trail = inner.slice(lead + core.length)
    pieces.push(`${inner.slice(0, lead)}${mark}${core}${after}${trail}`)
  }

  return {
    /** Number of characters so far, without marks. */
    get length() {
      return length
    },
    /** True if the last addition was a line break. */
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
    /** Adds finished Markdown, such as inline code or an image. */
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
    /** Closes the innermost mark. `after` differs from the opening mark for links: `[` … `](url)`. */
    closeMark(after: string) {
      const begun = open.pop()
      if (begun !== undefined) surround(begun, after)
    },
    /** Returns the paragraph so far and starts an empty one. Open marks continue in the next paragraph. */
    take(): string {
      const goOn = open
      for (let begun = open.at(-1); begun !== undefined; begun = open.at(-1)) {
        open = open.slice(0, -1)
        // The end of a link is known only when it closes, and links contain no paragraphs.
        if (begun.mark !== '[') surround(begun, begun.mark)
      }
      const taken = pieces.join('').trim()
      pieces = []
      length = 0
      open = goOn.map((mark) => ({ ...mark, from: 0 }))
      blankEnd = true
      return taken
    },
  }
}
