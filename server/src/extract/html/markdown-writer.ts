import type { Block } from '../extracted-page.ts'
import type { LinePrefix } from './line-prefix.ts'
import { plainInline } from '../markdown/plain-inline.ts'

export type MarkdownWriter = ReturnType<typeof createMarkdownWriter>

/**
 * Assembles Markdown and its list of blocks. Knows the block syntax but no HTML. Paragraphs get their prefix from the
 * open lists and quotes; headings, fences and tables stay at the left margin.
 */
export function createMarkdownWriter(prefix: LinePrefix) {
  const parts: string[] = []
  const blocks: Block[] = []
  let length = 0
  let level = 0
  /** Heading level that the next block resumes, unless it is a heading. */
  let resumes: number | null = null

  const put = (text: string) => {
    parts.push(text)
    length += text.length
  }
  /** Starts a block and returns its offset. */
  const begin = (between = '\n\n') => {
    if (length > 0) put(between)
    return length
  }
  /** Returns the pending level for the next block and clears it. */
  const resuming = () => {
    const taken = resumes === null ? {} : { resumes }
    resumes = null
    return taken
  }
  const addHeading = (
    depth: number,
    text: string,
    facts: { plain: string; anchor: string | null; declares?: true },
  ) => {
    const { plain, ...rest } = facts
    prefix.dropMarker()
    resumes = null
    const start = begin()
    put(`${'#'.repeat(depth)} ${text}`)
    blocks.push({ kind: 'heading', start, end: length, level: depth, text: plain, ...rest })
  }

  return {
    /** Length so far, in UTF-16 units. */
    get length() {
      return length
    },

    /** Level of the last heading except signatures, 0 before the first. */
    get headingLevel() {
      return level
    },

    /** Writes a heading. `text` is inline Markdown on one line. */
    heading(depth: number, text: string, anchor: string | null) {
      level = depth
      addHeading(depth, text, { plain: plainInline(text), anchor })
    },

    /**
     * Writes a heading that is code, so `**kwargs` contains no mark. It does not change the level for later headings.
     */
    signature(depth: number, text: string, anchor: string | null) {
      addHeading(depth, text, { plain: text, anchor })
    },

    /** Writes a signature that declares the text below it. */
    declaration(depth: number, text: string, anchor: string | null) {
      addHeading(depth, text, { plain: text, anchor, declares: true })
    },

    /** Assigns the next block to the heading of this level, because the definitions below it have ended. */
    resume(depth: number) {
      if (length > 0) resumes = depth
    },

    /** Writes `code` unchanged, in a fence longer than any run of backticks in it. */
    code(code: string, language: string | null) {
      prefix.dropMarker()
      const start = begin()
      const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
      put(`${fence}${language ?? ''}\n`)
      const codeStart = length
      put(code)
      const codeEnd = length
      put(`${code.endsWith('\n') || code === '' ? '' : '\n'}${fence}`)
      blocks.push({ kind: 'code', start, end: length, codeStart, codeEnd, language, ...resuming() })
    },

    /** Writes a table of one-line cells. The first row is the head. */
    table(rows: string[][]) {
      prefix.dropMarker()
      const start = begin()
      const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
      const [head = [], ...body] = rows.map((row) => tableRow(row, width))
      put([head, `|${' --- |'.repeat(width)}`, ...body].join('\n'))
      blocks.push({ kind: 'table', start, end: length, ...resuming() })
    },

    /**
     * Writes a paragraph, or a line of the open list. `text` may contain line breaks. All lines of a list form one
     * block.
     */
    paragraph(text: string) {
      const { first, rest, inList, marked } = prefix.take()
      const previous = blocks.at(-1)
      const list = inList && previous?.kind === 'list' && resumes === null ? previous : undefined
      const start = begin(list !== undefined && marked ? '\n' : '\n\n')
      put(first + (text.includes('\n') ? text.replaceAll('\n', `\n${rest}`) : text))
      if (list === undefined) blocks.push({ kind: inList ? 'list' : 'text', start, end: length, ...resuming() })
      else list.end = length
    },

    finish(): { markdown: string; blocks: Block[] } {
      return { markdown: parts.join(''), blocks }
    },
  }
}

/** Returns the length of the longest run of backticks. */
export function longestRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}

function tableRow(cells: string[], width: number): string {
  const missing = Array.from({ length: width - cells.length }, () => '')
  return `|${[...cells, ...missing].map((cell) => ` ${cell.replaceAll('|', '\\|')} |`).join('')}`
}
