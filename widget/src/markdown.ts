import { element } from './element.ts'
import { type Citations, appendInline } from './inline.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$/
const ITEM = /^\s*(?:[-*+]|(\d{1,9})[.)])\s+(\S.*)$/
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/
const DELIMITERS = /^\s*\|?[\s:|-]*-[\s:|-]*$/

/**
 * Converts Markdown to nodes: paragraphs, headings, lists, tables, quotes, code. No text ever becomes HTML. The text may
 * be incomplete, as in a stream.
 */
export function renderMarkdown(markdown: string, citations: Citations): DocumentFragment {
  return new Blocks(markdown.split('\n'), citations).render()
}

class Blocks {
  readonly #out = document.createDocumentFragment()
  readonly #lines: string[]
  readonly #citations: Citations
  #at = 0
  #paragraph: string[] = []

  constructor(lines: string[], citations: Citations) {
    this.#lines = lines
    this.#citations = citations
  }

  render(): DocumentFragment {
    while (this.#at < this.#lines.length) {
      if (this.#readBlock()) continue
      this.#paragraph.push(this.#line())
      this.#at++
    }
    this.#endParagraph()
    return this.#out
  }

  /** Reads the block that begins at the current line. False if the line is part of a paragraph. */
  #readBlock(): boolean {
    const line = this.#line()
    if (line.trim() === '' || RULE.test(line)) return this.#skip()
    if (FENCE.test(line)) return this.#readCode()
    const [, heading] = HEADING.exec(line) ?? []
    if (heading !== undefined) return this.#add(this.#text('p', heading, 'heading')) && this.#skip()
    if (ITEM.test(line)) return this.#readList()
    if (line.trimStart().startsWith('|') && DELIMITERS.test(this.#line(1))) return this.#readTable()
    if (/^ {0,3}>/.test(line)) return this.#readQuote()
    return false
  }

  #readCode(): boolean {
    const [, marks = ''] = FENCE.exec(this.#line()) ?? []
    const code: string[] = []
    for (this.#at++; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line().trim()
      if (line.startsWith(marks) && line === marks.charAt(0).repeat(line.length)) break
      code.push(this.#line())
    }
    this.#at++
    return this.#add(codeBlock(code.join('\n')))
  }

  #readList(): boolean {
    const [, number] = ITEM.exec(this.#line()) ?? []
    const list = number === undefined ? element('ul') : element('ol', { start: Number(number) })
    for (; this.#at < this.#lines.length; this.#at++) {
      const [, , words] = ITEM.exec(this.#line()) ?? []
      const item = list.lastElementChild
      if (words !== undefined) list.append(this.#text('li', words))
      // An indented line goes on with the item.
      else if (item && /^\s+\S/.test(this.#line()) && !FENCE.test(this.#line())) {
        item.append(' ')
        appendInline(item, this.#line().trim(), this.#citations)
      } else break
    }
    return this.#add(list)
  }

  #readTable(): boolean {
    const rows: string[][] = []
    for (; this.#line().trimStart().startsWith('|'); this.#at++) rows.push(cellsOf(this.#line()))
    const [head = [], , ...body] = rows
    const row = (tag: 'td' | 'th', cells: string[]) => element('tr', {}, ...cells.map((cell) => this.#text(tag, cell)))
    const parts = [element('thead', {}, row('th', head)), element('tbody', {}, ...body.map((one) => row('td', one)))]
    return this.#add(scrollable('Table', element('table', {}, ...parts)))
  }

  #readQuote(): boolean {
    const lines: string[] = []
    for (; /^ {0,3}>/.test(this.#line()); this.#at++) lines.push(this.#line().replace(/^ {0,3}> ?/, ''))
    return this.#add(element('blockquote', {}, new Blocks(lines.filter(isNotQuote), this.#citations).render()))
  }

  #line(ahead = 0): string {
    return this.#lines[this.#at + ahead] ?? ''
  }

  #skip(): true {
    this.#endParagraph()
    this.#at++
    return true
  }

  #add(node: Node): true {
    this.#endParagraph()
    this.#out.append(node)
    return true
  }

  #endParagraph(): void {
    if (this.#paragraph.length > 0) this.#out.append(this.#text('p', this.#paragraph.join('\n')))
    this.#paragraph = []
  }

  #text(tag: 'p' | 'li' | 'td' | 'th', text: string, className = ''): HTMLElement {
    const made = element(tag, className ? { className } : {})
    appendInline(made, text.trim(), this.#citations)
    return made
  }
}

/** Quotes within quotes are left out: their depth has no bound. */
const isNotQuote = (line: string): boolean => !/^ {0,3}>/.test(line)

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}

function codeBlock(code: string): HTMLElement {
  const copy = element('button', { type: 'button', className: 'copy' }, 'Copy')
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => copy.replaceChildren('Copied'),
      () => copy.replaceChildren('Select and copy'),
    )
  })
  return element('div', { className: 'code' }, scrollable('Code', element('pre', {}, element('code', {}, code))), copy)
}

/** Keyboards scroll only what has the focus. */
function scrollable(ariaLabel: string, inner: HTMLElement): HTMLElement {
  return element('div', { className: 'scroll', tabIndex: 0, role: 'group', ariaLabel }, inner)
}
