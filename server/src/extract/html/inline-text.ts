import { collapse } from '#lib/text/one-line.ts'

/** Index of the first piece inside an open mark, and the opening mark. */
type OpenMark = { from: number; mark: string }

/**
 * Collects the inline content of one paragraph as Markdown. Collapses white space as browsers do, across elements.
 * Marks (`**`, `*`, links) enclose the text without the spaces at its edges.
 */
export class InlineText {
  #pieces: string[] = []
  #open: OpenMark[] = []
  /** True if the text is empty or ends in white space, so another space would be a duplicate. */
  #blankEnd = true
  #length = 0

  /** Number of characters so far, without marks. */
  get length(): number {
    return this.#length
  }

  /** True if the last addition was a line break. */
  get brokenOff(): boolean {
    return this.#pieces.at(-1) === '\n'
  }

  add(raw: string): void {
    let piece = collapse(raw)
    if (this.#blankEnd && piece.startsWith(' ')) piece = piece.slice(1)
    if (piece === '') return
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#blankEnd = piece.endsWith(' ')
  }

  /** Adds finished Markdown, such as inline code or an image. */
  addMarkdown(markdown: string): void {
    if (markdown === '') return
    this.#pieces.push(markdown)
    this.#length += markdown.length
    this.#blankEnd = false
  }

  lineBreak(): void {
    this.#pieces.push('\n')
    this.#blankEnd = true
  }

  openMark(mark: string): void {
    this.#open.push({ from: this.#pieces.length, mark })
  }

  /** Closes the innermost mark. `after` differs from the opening mark for links: `[` … `](url)`. */
  closeMark(after: string): void {
    const begun = this.#open.pop()
    if (begun !== undefined) this.#surround(begun, after)
  }

  /** Returns the paragraph so far and starts an empty one. Open marks continue in the next paragraph. */
  take(): string {
    const goOn = this.#open
    for (let begun = this.#open.at(-1); begun !== undefined; begun = this.#open.at(-1)) {
      this.#open = this.#open.slice(0, -1)
      // The end of a link is known only when it closes, and links contain no paragraphs.
      if (begun.mark !== '[') this.#surround(begun, begun.mark)
    }
    const taken = this.#pieces.join('').trim()
    this.#pieces = []
    this.#length = 0
    this.#open = goOn.map((mark) => ({ ...mark, from: 0 }))
    this.#blankEnd = true
    return taken
  }

  /** Encloses the pieces since the mark was opened, unless an enclosing mark is of the same kind. */
  #surround({ from, mark }: OpenMark, after: string): void {
    const inner = this.#pieces.splice(from).join('')
    const core = inner.trim()
    if (core === '' || this.#open.some((outer) => outer.mark === mark)) {
      if (inner !== '') this.#pieces.push(inner)
      return
    }
    const lead = inner.length - inner.trimStart().length
    const trail = inner.slice(lead + core.length)
    this.#pieces.push(`${inner.slice(0, lead)}${mark}${core}${after}${trail}`)
  }
}
