import { SLICE } from '#lib/text/in-slices.ts'
import { FileProblem } from './file-problem.ts'

/** A paragraph being written. `tag` is its element: `p`, `pre` or a heading. Set it before the text. */
export type Paragraph = {
  tag: string
  /** Set for an item of a list, or for what follows in the same item. */
  item: { level: number; isOrdered: boolean; goesOn?: boolean } | null
  anchor: string | null
  html: string
  /** Text without marks. */
  plain: string
  /** Paragraphs inside of this one, such as notes and boxes of text. They are written after it. */
  inner: Paragraph[]
  /** Open marks, outermost first. */
  marks: readonly string[]
}

/** Upper bound for the written text with its marks, several times that of the Markdown of a page. */
export const MAX_HTML = 24 << 20

export type DocumentWriter = ReturnType<typeof createDocumentWriter>

/** The class of code that fits into a row of a table: `server/src/extract/html/render-table.ts` reads it. */
const ONE_LINE = 'class="cell-line"'
const CODE_ONLY = /^<code>((?:[^<]|<br>)*)<\/code>$/

/**
 * Lists and code that are open in the document or in a cell, and the paragraphs that are open outside of it. The first
 * line of code is written when the next one comes, or the end.
 */
type Place = { lists: string[]; code: { first: string; isWritten: boolean } | null; outside: number }

/** Writes paragraphs, lists and tables of a document as HTML. */
export function createDocumentWriter() {
  const pieces: string[] = []
  let piece = ''
  let length = 0
  const paragraphs: Paragraph[] = []
  const whole: Place = { lists: [], code: null, outside: 0 }
  const cells: Place[] = []
  const place = () => cells.at(-1) ?? whole
  /** Begins a new piece. Joining its parts here frees the memory that they take. */
  const cut = () => {
    pieces.push(Buffer.from(piece).toString())
    piece = ''
  }
  const put = (text: string) => {
    piece += text
    length += text.length
    if (length > MAX_HTML) throw tooMuchText()
    if (piece.length > SLICE) cut()
  }
  const endCode = () => {
    const { code } = place()
    place().code = null
    if (code?.isWritten) put('</pre>')
    else if (code && cells.length > 0 && !code.first.includes('\n'))
      put(`<pre ${ONE_LINE}><code>${code.first}</code></pre>`)
    else if (code) put(`<pre>${code.first}</pre>`)
  }
  const closeList = () => put(`</li></${place().lists.pop()}>`)
  const close = () => {
    endCode()
    while (place().lists.length > 0) closeList()
  }
  const openItem = ({ level, isOrdered, goesOn = false }: NonNullable<Paragraph['item']>) => {
    const { lists } = place()
    const tag = isOrdered ? 'ol' : 'ul'
    while (lists.length > level + 1) closeList()
    if (lists.length === level + 1 && lists.at(-1) !== tag && !goesOn) closeList()
    else if (lists.length === level + 1 && !goesOn) put('</li><li>')
    while (lists.length < level + 1) {
      put(`<${tag}><li>`)
      lists.push(tag)
    }
  }
  const write = ({ tag, item, anchor, html: content, inner }: Paragraph) => {
    // Paragraphs in the font of code, without a style that says so.
    const code =
      item === null && cells.length === 0 ? CODE_ONLY.exec(content)?.[1]?.replaceAll('<br>', '\n') : undefined
    const text = code ?? content
    if (tag === 'pre' || code !== undefined) {
      const { code: open } = place()
      if (open === null) {
        close()
        place().code = { first: text, isWritten: false }
      } else {
        put(open.isWritten ? `\n${text}` : `<pre>${open.first}\n${text}`)
        open.isWritten = true
      }
    } else {
      endCode()
      if (!/^(?:\s|<br>)*$/.test(text)) {
        if (item === null) close()
        else openItem(item)
        put(`<${tag}${anchor === null ? '' : ` id="${anchor}"`}>${text}</${tag}>`)
      }
    }
    for (const each of inner) write(each)
  }
  return {
    /** Begins a paragraph, which gets all text until its end. */
    begin(tag = 'p'): Paragraph {
      const paragraph: Paragraph = { tag, item: null, anchor: null, html: '', plain: '', inner: [], marks: [] }
      paragraphs.push(paragraph)
      return paragraph
    },
    current: () => paragraphs.at(-1),
    /** Adds text with marks, each an opening tag without brackets. Headings and code have none. */
    add(text: string, marks: readonly string[] = []): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph === undefined || text === '') return
      // A space between two runs is part of neither.
      if (paragraph.tag === 'p') setMarks(paragraph, marks, text.trim() === '')
      paragraph.html += escapeHtml(text)
      paragraph.plain += text
      if (paragraph.html.length > MAX_HTML) throw tooMuchText()
    },
    addLineBreak(): void {
      const paragraph = paragraphs.at(-1)
      if (paragraph !== undefined) paragraph.html += paragraph.tag === 'pre' ? '\n' : '<br>'
    },
    /** Ends a paragraph. A blank one only separates others. */
    end({ isDropped = false } = {}): void {
      const paragraph = paragraphs.pop()
      if (paragraph === undefined || isDropped) return
      setMarks(paragraph, [])
      const around = paragraphs.length > place().outside ? paragraphs.at(-1) : undefined
      if (around === undefined) write(paragraph)
      else around.inner.push(paragraph)
    },
    openTable(): void {
      close()
      put('<table>')
    },
    openRow: () => put('<tr>'),
    openCell(columns = 1): void {
      put(columns > 1 ? `<td colspan="${columns}">` : '<td>')
      cells.push({ lists: [], code: null, outside: paragraphs.length })
    },
    addCell: (text: string) => put(`<td>${escapeHtml(text)}</td>`),
    closeCell(): void {
      close()
      cells.pop()
      put('</td>')
    },
    closeRow: () => put('</tr>'),
    closeTable: () => put('</table>'),
    finish(): string {
      close()
      cut()
      return pieces.join('')
    },
  }
}

/** Changes the open marks of a paragraph. With `closesOnly`, opens none. */
function setMarks(paragraph: Paragraph, marks: readonly string[], closesOnly = false): void {
  const same = paragraph.marks.findIndex((mark, index) => mark !== marks[index])
  const kept = same < 0 ? paragraph.marks.length : same
  for (const mark of paragraph.marks.slice(kept).toReversed()) paragraph.html += `</${mark.split(' ', 1)[0]}>`
  const opened = closesOnly ? [] : marks.slice(kept)
  for (const mark of opened) paragraph.html += `<${mark}>`
  paragraph.marks = [...paragraph.marks.slice(0, kept), ...opened]
}

export function tooMuchText(): FileProblem {
  return new FileProblem('too_large', `The file has more than ${MAX_HTML >> 20} million characters of text. Divide it.`)
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign)
}
