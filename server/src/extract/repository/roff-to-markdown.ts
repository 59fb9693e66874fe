import { fenced } from '../markdown/write-markdown.ts'
import names from './roff-names.json' with { type: 'json' }
import { inFonts, isMdocInline, mdocLine, roffArguments, roffText } from './roff-text.ts'

/** The first macro of a manual page. */
const TITLE = /^[.'][ \t]*(?:TH|Dd|Dt)[ \t]/m
const FONTS: Readonly<Record<string, string[]>> = names.fontMacros
/** Marks and numbers of lists: `\(bu`, `1.`, `*`. */
const BULLET = /^(?:[•*·○o–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)])?$/
const DEEPEST = 6
const ENDS_PARAGRAPH = /^(?:S[HhSs]|T[PQ]|IP|Bl|El|It|RS|RE|PP|P|LP|HP|Pp|sp|nf|EX|Bd|fi|EE|Ed|D|Dl)$/

/**
 * Converts the source of a manual page to Markdown: macros of man(7) and mdoc(7). Sections are headings, and so are the
 * options and other terms in them. Terms within an explanation are items of a list. Tables stay as written. Returns null
 * for any other text. Linear in its length.
 */
export function roffToMarkdown(source: string): string | null {
  return TITLE.test(source) ? new RoffReader().read(source.split('\n')) : null
}

class RoffReader {
  readonly #out: string[] = []
  readonly #paragraph: string[] = []
  #code: string[] | null = null
  /** Name, section and purpose of the manual. */
  #name = ''
  #number = ''
  #purpose = ''
  #section = ''
  #level = 2
  /** Nesting of indented parts and lists. Terms are headings outside them. */
  #depth = 0
  readonly #lists: { terms: boolean; bullet: string }[] = []
  /** Set if the next line is a term. */
  #takesTerm = false
  /** Start of the open item of a list. */
  #item = ''
  /** Set if the next text joins the line before. */
  #joins = false

  read(lines: readonly string[]): string {
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? ''
      const macro = /^[.'][ \t]*([A-Za-z]{1,3}|\\[{}"])/.exec(line)
      if (macro === null) {
        if (!/^[.']/.test(line)) this.#addText(line)
        continue
      }
      const [start, name = ''] = macro
      if (name === 'de' || name === 'ig' || name === 'am') at = endOf(lines, at, '..')
      else if (name === 'TS') {
        const end = endOf(lines, at, '.TE')
        this.#endParagraph()
        // The format of the columns ends with a dot.
        let format = at + 1
        while (format < end && lines[format]?.trimEnd().endsWith('.') !== true) format++
        this.#fence(lines.slice(format + 1, end).map((row) => roffText(row, true)))
        at = end
      } else this.#macro(name, roffArguments(line.slice(start.length)))
    }
    this.#endParagraph()
    this.#setItem('')
    return [`# ${this.#title()}`, ...this.#out].join('\n\n')
  }

  #title(): string {
    const number = this.#number && `(${this.#number})`
    return `${this.#name}${number}${this.#purpose && ` — ${this.#purpose}`}`
  }

  #macro(name: string, words: string[]): void {
    const fonts = FONTS[name]
    if (fonts) this.#addLine(inFonts(words, fonts))
    else if (isMdocInline(name)) this.#inline(name, words)
    else if (ENDS_PARAGRAPH.test(name)) {
      this.#endParagraph()
      this.#block(name, words)
    } else this.#line(name, words)
  }

  /** A macro that ends the paragraph above. */
  #block(name: string, words: string[]): void {
    if (name === 'SH' || name === 'Sh') this.#heading(2, words)
    else if (name === 'SS' || name === 'Ss') this.#heading(3, words)
    else if (name === 'TP' || name === 'TQ') this.#takesTerm = true
    else if (name === 'IP') this.#indented(words[0])
    else if (name === 'Bl') this.#openList(words)
    else if (name === 'El') this.#closeList()
    else if (name === 'It') this.#listItem(words)
    else if (name === 'RS') this.#depth++
    else if (name === 'RE') this.#depth = Math.max(0, this.#depth - 1)
    else if (/^(?:PP|P|LP|HP)$/.test(name)) this.#setItem('')
    else if (name === 'D' || name === 'Dl') this.#fence([this.#plain(words)])
    else if (name === 'nf' || name === 'EX') this.#code = []
    else if (name === 'Bd' && words.some((word) => word === '-literal' || word === '-unfilled')) this.#code = []
  }

  #line(name: string, words: string[]): void {
    if (name === 'TH' || name === 'Dt') {
      this.#name = roffText(words[0] ?? '', true)
      this.#number = words[1] ?? ''
    } else if (name === 'Nd') {
      this.#purpose = this.#plain(words)
      this.#addLine(`— ${this.#purpose}`)
    } else if (name === 'br' && this.#code === null && this.#paragraph.length > 0) this.#paragraph.push('\n')
    else if (name === 'OP') this.#addLine(`[${inFonts(words, ['B', 'I'], ' ')}]`)
    else if (name === 'SY') this.#addLine(inFonts(words, ['B', 'B']))
    else if (name === 'UR' || name === 'MT') this.#addLine(roffText(words.join(' '), true))
  }

  #plain(words: string[]): string {
    return mdocLine(words, { name: this.#name, plain: true })
  }

  #heading(level: number, words: string[]): void {
    this.#depth = 0
    this.#setItem('')
    this.#level = level
    this.#section = this.#plain(words)
    if (this.#section !== '') this.#out.push(`${'#'.repeat(level)} ${this.#section}`)
  }

  #indented(tag = ''): void {
    const term = roffText(tag, true).trim()
    if (term === '') return
    if (BULLET.test(term))
      this.#setItem(/\d|[a-z][.)]/.test(term) ? `${term.replaceAll(/[()]/g, '').replace(/\.?$/, '.')} ` : '- ')
    else this.#term(term)
  }

  /** Writes a term as a heading, or within an explanation as an item. */
  #term(term: string): void {
    this.#setItem('')
    if (this.#depth > 0) this.#item = `- \`${term.replaceAll('`', "'")}\`: `
    else this.#out.push(`${'#'.repeat(Math.min(DEEPEST, this.#level + 1))} ${named(term)}`)
  }

  /** Begins an item. A term without an explanation is written alone. */
  #setItem(item: string): void {
    if (this.#item.startsWith('- `')) this.#out.push(this.#item.slice(0, -2))
    this.#item = item
  }

  #openList(words: string[]): void {
    const terms = words.some((word) => /^-(?:tag|hang|ohang|diag|inset)$/.test(word))
    this.#lists.push({ terms, bullet: words.includes('-enum') ? '1. ' : '- ' })
    if (this.#lists.length > 1) this.#depth++
  }

  #closeList(): void {
    this.#setItem('')
    if (this.#lists.pop() && this.#lists.length > 0) this.#depth--
  }

  #listItem(words: string[]): void {
    const list = this.#lists.at(-1)
    const text = this.#plain(words)
    if (list?.terms === true && text !== '') this.#term(text)
    else {
      this.#setItem(list?.bullet ?? '- ')
      if (text !== '') this.#addLine(words.filter((word) => word !== 'Ta').join(' | '))
    }
  }

  #inline(name: string, words: string[]): void {
    if (name === 'Nm' && this.#section === 'SYNOPSIS' && this.#paragraph.length > 0) this.#paragraph.push('\n')
    if (name === 'Nm' && this.#section === 'NAME' && words[0] !== undefined) this.#name = matching(this.#name, words[0])
    this.#addLine(mdocLine([name, ...words], { name: this.#name, plain: this.#code !== null }))
    if (name === 'Ns' || words.at(-1) === 'Ns') this.#joins = true
  }

  #addText(line: string): void {
    if (line.trim() !== '') this.#addLine(roffText(line, this.#code !== null || this.#takesTerm))
    else if (this.#code === null) this.#endParagraph()
    else this.#code.push('')
  }

  #addLine(text: string): void {
    if (this.#takesTerm) {
      this.#takesTerm = false
      const term = text.replaceAll('*', '').trim()
      if (BULLET.test(term)) {
        this.#endParagraph()
        this.#indented(term)
      } else this.#term(term)
    } else if (this.#code === null) {
      if (this.#joins) this.#paragraph.push(`${this.#paragraph.pop() ?? ''}${text}`)
      else this.#paragraph.push(text)
      this.#joins = false
    } else this.#code.push(text.replaceAll('**', ''))
  }

  #endParagraph(): void {
    const code = this.#code
    this.#code = null
    if (code !== null) this.#fence(code)
    const words = this.#paragraph.splice(0).join(' ')
    const text = words
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
    if (text === '') return
    if (this.#section === 'NAME') this.#readName(text)
    if (this.#section === 'SYNOPSIS') this.#fence(text.replaceAll('*', '').split('\n'))
    else this.#out.push(this.#item + escaped(text))
    if (this.#item !== '') this.#item = '  '
  }

  /** `tidectl \- control a tide gauge` */
  #readName(text: string): void {
    const [names = '', ...purpose] = text.replaceAll('*', '').split(/ (?:-{1,2}|[–—]) /)
    this.#name = matching(this.#name, names.split(',', 1)[0] ?? '')
    if (this.#purpose === '') this.#purpose = purpose.join(' - ')
  }

  #fence(lines: readonly string[]): void {
    const isText = (line: string) => line.trim() !== ''
    const text = lines.slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1).join('\n')
    if (text !== '') this.#out.push(fenced(text))
  }
}

/** Prefers the name as the page writes it. Titles are in capitals. */
function matching(title: string, name: string): string {
  return title === '' || title.toLowerCase() === name.trim().toLowerCase() ? name.trim() : title
}

/** Prose that reads like a heading or a tag. */
function escaped(text: string): string {
  return text.replaceAll(/^(?=#{1,6}\s|```|~~~)/gm, '\\').replaceAll(/<[a-z/!][^<>`\n]{0,80}>/gi, '`$&`')
}

/** A heading of code that contains a tag. */
function named(term: string): string {
  return /<[a-z/!]/i.test(term) && !term.includes('`') ? `\`${term}\`` : term
}

/** Returns the index of the line that ends a definition or a table. */
function endOf(lines: readonly string[], from: number, end: string): number {
  for (let at = from + 1; at < lines.length; at++) if (lines[at]?.replaceAll(/[ \t]/g, '') === end) return at
  return lines.length
}
