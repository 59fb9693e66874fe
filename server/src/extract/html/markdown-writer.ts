import type { Block, HeadingBlock } from '#documents/model/document.ts'
import { plainInline } from '#documents/model/markdown-blocks.ts'
import { collapse } from '#lib/text/one-line.ts'
import { fenceOf, tableLines } from '../markdown/write-markdown.ts'

export type LinePrefix = ReturnType<typeof createLinePrefix>

/**
 * Assembles Markdown and its list of blocks. Knows the block syntax but no HTML. Paragraphs get their prefix from the
 * open lists and quotes; headings, fences and tables stay at the left margin.
 */
export class MarkdownWriter {
  readonly #prefix: LinePrefix
  readonly #parts: string[] = []
  readonly #blocks: Block[] = []
  /** Length so far, in UTF-16 units. */
  length = 0
  /** Level of the last heading except signatures, 0 before the first. */
  headingLevel = 0
  /** Heading level that the next block resumes, unless it is a heading. */
  #resumes: number | null = null

  constructor(prefix: LinePrefix) {
    this.#prefix = prefix
  }

  /** Writes a heading. `text` is inline Markdown on one line. */
  heading(depth: number, text: string, anchor: string | null): void {
    this.headingLevel = depth
    this.#addHeading({ level: depth, text: plainInline(text), anchor }, text)
  }

  /**
   * Writes a heading that is code, so `**kwargs` contains no mark. It does not change the level for later headings. With
   * `declares`, it declares the symbol of the text below it.
   */
  signature(depth: number, text: string, anchor: string | null, declares: { declares?: true } = {}): void {
    if (text !== '') this.#addHeading({ level: Math.min(6, depth), text, anchor, ...declares }, text)
  }

  /** Assigns the next block to the heading of this level, because the definitions below it have ended. */
  resume(depth: number): void {
    if (this.length > 0) this.#resumes = depth
  }

  /** Writes `code` unchanged, in a fence longer than any run of backticks in it. */
  code(code: string, language: string | null): void {
    this.#prefix.mark(null)
    const start = this.#begin()
    const fence = fenceOf(code)
    this.#put(`${fence}${language ?? ''}\n`)
    const codeStart = this.length
    this.#put(code)
    const codeEnd = this.length
    this.#put(`${code.endsWith('\n') || code === '' ? '' : '\n'}${fence}`)
    this.#blocks.push({ kind: 'code', start, end: this.length, codeStart, codeEnd, language, ...this.#resuming() })
  }

  /** Writes a table of one-line cells, with rows of the same length. The first row is the head. */
  table(rows: string[][]): void {
    this.#prefix.mark(null)
    const start = this.#begin()
    this.#put(tableLines(rows).join('\n'))
    this.#blocks.push({ kind: 'table', start, end: this.length, ...this.#resuming() })
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
      this.#blocks.push({ kind: inList ? 'list' : 'paragraph', start, end: this.length, ...this.#resuming() })
    else list.end = this.length
  }

  finish(): { markdown: string; blocks: Block[] } {
    return { markdown: this.#parts.join(''), blocks: this.#blocks }
  }

  #put(text: string): void {
    this.#parts.push(text)
    this.length += text.length
  }

  #begin(between = '\n\n'): number {
    if (this.length > 0) this.#put(between)
    return this.length
  }

  #resuming(): { resumes?: number } {
    const taken = this.#resumes === null ? {} : { resumes: this.#resumes }
    this.#resumes = null
    return taken
  }

  #addHeading(heading: Pick<HeadingBlock, 'level' | 'text' | 'anchor' | 'declares'>, text: string): void {
    this.#prefix.mark(null)
    this.#resumes = null
    const start = this.#begin()
    this.#put(`${'#'.repeat(heading.level)} ${text}`)
    this.#blocks.push({ kind: 'heading', start, end: this.length, ...heading })
  }
}

type List = { ordered: boolean; next: number; indent: string }

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
    /** Sets the marker of the next paragraph. Fences and headings start at the left margin and have none. */
    mark(text: string | null) {
      marker = text
    },
    openQuote() {
      quotes++
    },
    closeQuote() {
      quotes--
    },
    /** Returns the prefixes of the next paragraph for its first line and the others, and consumes the marker. */
    take() {
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
  length = 0

  /** True if the last addition was a line break. */
  get brokenOff(): boolean {
    return this.#pieces.at(-1) === '\n'
  }

  add(raw: string): void {
    let piece = collapse(raw)
    if (this.#blankEnd && piece.startsWith(' ')) piece = piece.slice(1)
    if (piece === '') return
    this.#pieces.push(piece)
    this.length += piece.length
    this.#blankEnd = piece.endsWith(' ')
  }

  /** Adds finished Markdown, such as inline code or an image. */
  addMarkdown(markdown: string): void {
    if (markdown === '') return
    this.#pieces.push(markdown)
    this.length += markdown.length
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
    this.length = 0
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
