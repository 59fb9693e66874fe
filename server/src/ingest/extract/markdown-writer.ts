import type { Block } from './extracted-page.ts'
import { plainInline } from './plain-inline.ts'

/**
 * Assembles Markdown and, beside it, the list of its blocks. Knows the syntax of blocks and nothing of HTML.
 * Lists and quotes are prefixes of lines; fences and tables ignore them and stay at the left margin.
 */
export type MarkdownWriter = ReturnType<typeof createMarkdownWriter>

type List = { ordered: boolean; next: number; indent: string }

/** Deeper lists are drawn at this depth: the indent of a list bomb would otherwise grow with its square. */
const MAX_LIST_DEPTH = 12

export function createMarkdownWriter() {
  const parts: string[] = []
  const blocks: Block[] = []
  const lists: List[] = []
  let length = 0
  let quotes = 0
  /** Marker of a list item that has no line yet. */
  let marker: string | null = null

  const put = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const separate = (between: string) => {
    if (length > 0) put(between)
    return length
  }

  return {
    get length() {
      return length
    },
    openList(ordered: boolean, first: number) {
      const outer = lists.at(-1)
      const deep = lists.length >= MAX_LIST_DEPTH
      const width = outer === undefined || deep ? 0 : outer.ordered ? 3 : 2
      lists.push({ ordered, next: first, indent: (outer?.indent ?? '') + ' '.repeat(width) })
    },
    closeList() {
      lists.pop()
      marker = null
    },
    openItem() {
      const list = lists.at(-1)
      if (list === undefined) marker = '- '
      else marker = list.ordered ? `${list.next++}. ` : '- '
    },
    closeItem() {
      marker = null
    },
    /** The next paragraph is a term, or the meaning of one. */
    openTerm() {
      marker = ''
    },
    openDefinition() {
      marker = ': '
    },
    openQuote() {
      quotes++
    },
    closeQuote() {
      quotes--
    },

    /** `text` is inline Markdown on one line. */
    heading(level: number, text: string, anchor: string | null) {
      const start = separate('\n\n')
      put(`${'#'.repeat(level)} ${text}`)
      blocks.push({ kind: 'heading', start, end: length, level, text: plainInline(text), anchor })
      marker = null
    },

    /** `code` is written exactly; the fence is longer than any run of backticks in it. */
    code(code: string, language: string | null) {
      const start = separate('\n\n')
      const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
      put(`${fence}${language ?? ''}\n`)
      const codeStart = length
      put(code)
      const codeEnd = length
      put(`${code.endsWith('\n') || code === '' ? '' : '\n'}${fence}`)
      blocks.push({ kind: 'code', start, end: length, codeStart, codeEnd, language })
      marker = null
    },

    /** Rows of one-line cells; the first row is the head. */
    table(rows: string[][]) {
      const width = Math.max(...rows.map((row) => row.length))
      const start = separate('\n\n')
      for (const [index, row] of rows.entries()) {
        put(
          `${index === 0 ? '' : '\n'}|${padded(row, width)
            .map((cell) => ` ${cell.replaceAll('|', '\\|')} |`)
            .join('')}`,
        )
        if (index === 0) put(`\n|${' --- |'.repeat(width)}`)
      }
      blocks.push({ kind: 'table', start, end: length })
      marker = null
    },

    /** A paragraph, or a line of the open list; `text` may hold line breaks. */
    paragraph(text: string) {
      const list = lists.at(-1)
      const inList = list !== undefined || marker !== null
      const previous = blocks.at(-1)
      const kind = inList ? 'list' : 'text'
      const joins = inList && previous !== undefined && previous.kind === 'list'
      const start = separate(joins && marker !== null ? '\n' : '\n\n')
      const indent = (quotes > 0 ? '> ' : '') + (list?.indent ?? '')
      const hanging = indent + (inList ? ' '.repeat(list?.ordered === true ? 3 : 2) : '')
      const head = marker === null ? (inList ? hanging : indent) : indent + marker
      put(head + (text.includes('\n') ? text.replaceAll('\n', `\n${hanging}`) : text))
      if (joins) previous.end = length
      else blocks.push({ kind, start, end: length })
      marker = null
    },

    finish(): { markdown: string; blocks: Block[] } {
      return { markdown: parts.join(''), blocks }
    },
  }
}

/** Length of the longest run of backticks. */
export function longestRun(text: string): number {
  if (!text.includes('`')) return 0
  let longest = 0
  for (const run of text.matchAll(/`+/g)) longest = Math.max(longest, run[0].length)
  return longest
}

function padded(row: string[], width: number): string[] {
  return row.length === width ? row : [...row, ...Array.from({ length: width - row.length }, () => '')]
}
