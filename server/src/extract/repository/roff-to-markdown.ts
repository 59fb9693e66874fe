import { fenced } from './repository-file.ts'
import { inFonts, isMdocInline, mdocLine, roffArguments, roffText } from './roff-text.ts'

/** The first macro of a manual page. */
const TITLE = /^[.'][ \t]*(?:TH|Dd|Dt)[ \t]/m
/** Macros for one or two fonts. */
const FONTS: Record<string, readonly [string, string]> = {
  B: ['B', 'B'],
  SB: ['B', 'B'],
  I: ['I', 'I'],
  BR: ['B', 'R'],
  RB: ['R', 'B'],
  BI: ['B', 'I'],
  IB: ['I', 'B'],
  IR: ['I', 'R'],
  RI: ['R', 'I'],
  SM: ['R', 'R'],
}
/** Marks and numbers of lists: `\(bu`, `1.`, `*`. */
const BULLET = /^(?:[•*·○o–—-]|\(?\d{1,3}[.)]|\(?[a-z][.)])?$/
const DEEPEST = 6

type List = { terms: boolean; bullet: string }

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
  #paragraph: string[] = []
  #code: string[] | null = null
  /** Name, section and purpose of the manual. */
  #name = ''
  #number = ''
  #purpose = ''
  #section = ''
  #level = 2
  /** Nesting of indented parts and lists. Terms are headings outside them. */
  #depth = 0
  readonly #lists: List[] = []
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
    const name = `${this.#name}${this.#number === '' ? '' : `(${this.#number})`}`
    return this.#purpose === '' ? name : `${name} — ${this.#purpose}`
  }

  #macro(name: string, words: string[]): void {
    const fonts = FONTS[name]
    if (fonts) this.#addLine(inFonts(words, fonts))
    else if (isMdocInline(name)) this.#inline(name, words)
    else if (name === 'TH' || name === 'Dt') this.#setTitle(words)
    else if (name === 'SH' || name === 'Sh') this.#heading(2, words)
    else if (name === 'SS' || name === 'Ss') this.#heading(3, words)
    else if (name === 'TP' || name === 'TQ') this.#beginTerm()
    else if (name === 'IP') this.#indented(words[0])
    else if (name === 'Bl') this.#openList(words)
    else if (name === 'El') this.#closeList()
    else if (name === 'It') this.#listItem(words)
    else if (name === 'Nd') {
      this.#purpose = mdocLine(words, { name: this.#name, plain: true })
      this.#addLine(`— ${this.#purpose}`)
    } else this.#layout(name, words)
  }

  #layout(name: string, words: string[]): void {
    switch (name) {
      case 'PP':
      case 'P':
      case 'LP':
      case 'HP':
        this.#endParagraph()
        this.#setItem('')
        break
      case 'Pp':
      case 'sp':
        this.#endParagraph()
        break
      case 'br':
        if (this.#code === null && this.#paragraph.length > 0) this.#paragraph.push('\n')
        break
      case 'RS':
        this.#endParagraph()
        this.#depth++
        break
      case 'RE':
        this.#endParagraph()
        this.#depth = Math.max(0, this.#depth - 1)
        break
      case 'nf':
      case 'EX':
      case 'Bd':
        this.#endParagraph()
        if (name !== 'Bd' || words.includes('-literal') || words.includes('-unfilled')) this.#code = []
        break
      case 'fi':
      case 'EE':
      case 'Ed':
        this.#endParagraph()
        break
      case 'D':
      case 'Dl':
        this.#endParagraph()
        this.#fence([mdocLine(words, { name: this.#name, plain: true })])
        break
      case 'OP':
        this.#addLine(`[${inFonts(words, ['B', 'I'], ' ')}]`)
        break
      case 'SY':
        this.#addLine(inFonts(words, ['B', 'B']))
        break
      case 'UR':
      case 'MT':
        this.#addLine(roffText(words.join(' '), true))
        break
    }
  }

  #setTitle([name = '', number = '']: string[]): void {
    this.#name = roffText(name, true)
    this.#number = number
  }

  #heading(level: number, words: string[]): void {
    this.#endParagraph()
    this.#depth = 0
    this.#setItem('')
    this.#level = level
    const text = mdocLine(words, { name: this.#name, plain: true })
    this.#section = text
    if (text !== '') this.#out.push(`${'#'.repeat(level)} ${text}`)
  }

  #beginTerm(): void {
    this.#endParagraph()
    this.#takesTerm = true
  }

  #indented(tag: string | undefined): void {
    this.#endParagraph()
    const term = tag === undefined ? '' : roffText(tag, true).trim()
    if (tag === undefined || term === '') return
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
    this.#endParagraph()
    const terms = words.some((word) => /^-(?:tag|hang|ohang|diag|inset)$/.test(word))
    this.#lists.push({ terms, bullet: words.includes('-enum') ? '1. ' : '- ' })
    if (this.#lists.length > 1) this.#depth++
  }

  #closeList(): void {
    this.#endParagraph()
    this.#setItem('')
    if (this.#lists.pop() && this.#lists.length > 0) this.#depth--
  }

  #listItem(words: string[]): void {
    this.#endParagraph()
    const list = this.#lists.at(-1)
    const text = mdocLine(words, { name: this.#name, plain: true })
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
    if (line.trim() === '') {
      if (this.#code === null) this.#endParagraph()
      else this.#code.push('')
    } else this.#addLine(roffText(line, this.#code !== null || this.#takesTerm))
  }

  #addLine(text: string): void {
    if (this.#takesTerm) {
      this.#takesTerm = false
      const term = text.replaceAll('*', '').trim()
      if (BULLET.test(term)) this.#indented(term)
      else this.#term(term)
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
    const text = this.#paragraph
      .join(' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
    this.#paragraph = []
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
