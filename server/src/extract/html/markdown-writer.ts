import type { Block } from '#documents/model/document.ts'
import { longestRun } from '#documents/model/markdown-blocks.ts'
import { plainInline } from '#documents/model/plain-inline.ts'
import { collapse } from '#lib/text/one-line.ts'

type HeadingFacts = { plain: string; anchor: string | null; declares?: true }

export type LinePrefix = ReturnType<typeof createLinePrefix>

/**
 * Assembles Markdown and its list of blocks. Knows the block syntax but no HTML. Paragraphs get their prefix from the
 * open lists and quotes; headings, fences and tables stay at the left margin.
 */
export class MarkdownWriter {
  readonly #prefix: LinePrefix
  readonly #parts: string[] = []
  readonly #blocks: Block[] = []
  #length = 0
  #level = 0
  /** Heading level that the next block resumes, unless it is a heading. */
  #resumes: number | null = null

  constructor(prefix: LinePrefix) {
    this.#prefix = prefix
  }

  /** Length so far, in UTF-16 units. */
  get length(): number {
    return this.#length
  }

  /** Level of the last heading except signatures, 0 before the first. */
  get headingLevel(): number {
    return this.#level
  }

  /** Writes a heading. `text` is inline Markdown on one line. */
  heading(depth: number, text: string, anchor: string | null): void {
    this.#level = depth
    this.#addHeading(depth, text, { plain: plainInline(text), anchor })
  }

  /**
   * Writes a heading that is code, so `**kwargs` contains no mark. It does not change the level for later headings.
   */
  signature(depth: number, text: string, anchor: string | null): void {
    if (text !== '') this.#addHeading(Math.min(6, depth), text, { plain: text, anchor })
  }

  /** Writes a signature that declares the text below it. */
  declaration(depth: number, text: string, anchor: string | null): void {
    if (text !== '') this.#addHeading(Math.min(6, depth), text, { plain: text, anchor, declares: true })
  }

  /** Assigns the next block to the heading of this level, because the definitions below it have ended. */
  resume(depth: number): void {
    if (this.#length > 0) this.#resumes = depth
  }

  /** Writes `code` unchanged, in a fence longer than any run of backticks in it. */
  code(code: string, language: string | null): void {
    this.#prefix.dropMarker()
    const start = this.#begin()
    const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
    this.#put(`${fence}${language ?? ''}\n`)
    const codeStart = this.#length
    this.#put(code)
    const codeEnd = this.#length
    this.#put(`${code.endsWith('\n') || code === '' ? '' : '\n'}${fence}`)
    this.#blocks.push({ kind: 'code', start, end: this.#length, codeStart, codeEnd, language, ...this.#resuming() })
  }

  /** Writes a table of one-line cells. The first row is the head. */
  table(rows: string[][]): void {
    this.#prefix.dropMarker()
    const start = this.#begin()
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    const [head = [], ...body] = rows.map((row) => tableRow(row, width))
    this.#put([head, `|${' --- |'.repeat(width)}`, ...body].join('\n'))
    this.#blocks.push({ kind: 'table', start, end: this.#length, ...this.#resuming() })
  }

  /**
   * Writes a paragraph, or a line of the open list. `text` may contain line breaks. All lines of a list form one
   * block.
   */
  paragraph(text: string): void {
    const { first, rest, inList, marked } = this.#prefix.take()
    const previous = this.#blocks.at(-1)
    const list = inList && previous?.kind === 'list' && this.#resumes === null ? previous : undefined
    const start = this.#begin(list !== undefined && marked ? '\n' : '\n\n')
    this.#put(first + (text.includes('\n') ? text.replaceAll('\n', `\n${rest}`) : text))
    if (list === undefined)
      this.#blocks.push({ kind: inList ? 'list' : 'paragraph', start, end: this.#length, ...this.#resuming() })
    else list.end = this.#length
  }

  finish(): { markdown: string; blocks: Block[] } {
    return { markdown: this.#parts.join(''), blocks: this.#blocks }
  }

  #put(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  /** Starts a block and returns its offset. */
  #begin(between = '\n\n'): number {
    if (this.#length > 0) this.#put(between)
    return this.#length
  }

  /** Returns the pending level for the next block and clears it. */
  #resuming(): { resumes?: number } {
    const taken = this.#resumes === null ? {} : { resumes: this.#resumes }
    this.#resumes = null
    return taken
  }

  #addHeading(depth: number, text: string, { plain, ...rest }: HeadingFacts): void {
    this.#prefix.dropMarker()
    this.#resumes = null
    const start = this.#begin()
    this.#put(`${'#'.repeat(depth)} ${text}`)
    this.#blocks.push({ kind: 'heading', start, end: this.#length, level: depth, text: plain, ...rest })
  }
}

function tableRow(cells: string[], width: number): string {
  const missing = Array.from({ length: width - cells.length }, () => '')
  return `|${[...cells, ...missing].map((cell) => ` ${cell.replaceAll('|', '\\|')} |`).join('')}`
}

type List = { ordered: boolean; next: number; indent: string }

/** Line prefixes of one paragraph. */
export type Prefix = {
  /** Prefix of the first line: the indent, then the marker if the item starts here. */
  first: string
  /** Prefix of the other lines. */
  rest: string
  inList: boolean
  /** True if the paragraph starts an item. */
  marked: boolean
}

/** Maximum indent depth. Otherwise the indent of a list bomb grows with its square. */
const MAX_LIST_DEPTH = 12

/** Tracks open lists and quotes, and the item marker for the next line. */
export function createLinePrefix() {
  const lists: List[] = []
  let quotes = 0
  let marker: string | null = null
  return {
    openList(ordered: boolean, first: number) {
      const outer = lists.at(-1)
      const width = outer === undefined || lists.length >= MAX_LIST_DEPTH ? 0 : markerWidth(outer)
      lists.push({ ordered, next: first, indent: (outer?.indent ?? '') + ' '.repeat(width) })
    },
    closeList() {
      lists.pop()
      marker = null
    },
    openItem() {
      const list = lists.at(-1)
      marker = list?.ordered === true ? `${list.next++}. ` : '- '
    },
    /** Makes the next paragraph a term. */
    openTerm() {
      marker = ''
    },
    openDefinition() {
      marker = ': '
    },
    closeItem() {
      marker = null
    },
    openQuote() {
      quotes++
    },
    closeQuote() {
      quotes--
    },
    /** Drops a pending marker before a fence or a heading, because those start at the left margin. */
    dropMarker() {
      marker = null
    },
    /** Returns the prefix of the next paragraph and consumes the pending marker. */
    take(): Prefix {
      const list = lists.at(-1)
      const inList = list !== undefined || marker !== null
      const indent = (quotes > 0 ? '> ' : '') + (list?.indent ?? '')
      const rest = inList ? indent + ' '.repeat(list === undefined ? 2 : markerWidth(list)) : indent
      const prefix = { first: marker === null ? rest : indent + marker, rest, inList, marked: marker !== null }
      marker = null
      return prefix
    },
  }
}

function markerWidth(list: List): number {
  return list.ordered ? 3 : 2
}

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
