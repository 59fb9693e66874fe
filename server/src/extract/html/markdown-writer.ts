import type { Block } from '#documents/model/document.ts'
import type { LinePrefix } from './line-prefix.ts'
import { longestRun } from '#documents/model/markdown-blocks.ts'
import { plainInline } from '#documents/model/plain-inline.ts'

type HeadingFacts = { plain: string; anchor: string | null; declares?: true }

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
    this.#addHeading(depth, text, { plain: text, anchor })
  }

  /** Writes a signature that declares the text below it. */
  declaration(depth: number, text: string, anchor: string | null): void {
    this.#addHeading(depth, text, { plain: text, anchor, declares: true })
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
