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

  /** Puts a mark around what has been added since it began, unless a mark of its kind is around that already. */
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
      if (begun !== undefined) surround(begun, after)
    },
    /** The paragraph so far, and an empty one in its place; marks that are open go on in the next. */
    take(): string {
      const goOn = open
      for (let begun = open.at(-1); begun !== undefined; begun = open.at(-1)) {
        open = open.slice(0, -1)
        // What closes a link is known at its end only, and links have no paragraphs in them.
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
