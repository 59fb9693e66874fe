import { elementAt } from '#lib/arrays.ts'

/**
 * A part of a manual page. `level` of a heading is 1 for sections such as `OPTIONS`, 2 for subsections. A term is an
 * option or another name that the parts after it explain, up to `end`.
 */
export type ManualPart =
  | { kind: 'heading'; level: 1 | 2; text: string }
  | { kind: 'term' | 'paragraph' | 'item' | 'code'; text: string }
  | { kind: 'end' }

/** Headings that every manual page has, at the left margin. */
const NAME = /(?:^|\n)NAME\n/
const OTHERS = /\n(?:SYNOPSIS|DESCRIPTION)\n/
const HEADING = /^[A-Z][A-Z0-9 ,/&()'-]{2,60}$/
/** The first and the last line: `TAR(1)            User Commands            TAR(1)`, `GNU        July 2024        TAR(1)`. */
const MARGIN = /(?:^|\s{2})\S{1,40}\(\w{1,8}\)$/
/** Minimum indentation of text, in columns. Headings of subsections have less. */
const LEAST_INDENT = 4
/** A term and its explanation on one line: `-f     Flush the queue`. */
const TERM = /^(\S(?: ?\S){0,39}) {2,}(?=\S)/
/** An option of six characters leaves one space before its explanation: `--fast Do not wait`. */
const SIX = /^(-\S{5}) (?=[A-Z])/
/** Characters of a term, and of one within an explanation. A longer line is prose or code. */
const LONGEST_TERM = 120
const LONGEST_NESTED = 40
const NUMBER = /^\(?\d{1,3}[.)]$/
/** Minimum number of words of prose. A command has fewer. */
const PROSE_WORDS = 6
const BULLET = /^(?:o|•|·|\*|-) {1,8}(?=\S)/
/** A word that troff divided at the end of a line, or a compound. */
const DIVIDED = /([a-z]{2,30})-$/

type Line = { indent: number; text: string }

/**
 * The parts of a manual page as troff formats it for a terminal: sections at the left margin, indented text, and
 * explanations indented below or beside their terms. Null for other text. Linear in its length.
 */
export function manualParts(text: string): ManualPart[] | null {
  if (!NAME.test(text) || !OTHERS.test(text)) return null
  return new ManualReader(text).read()
}

class ManualReader {
  readonly #lines: readonly Line[]
  /** Words with a hyphen within a line. */
  readonly #compounds: ReadonlySet<string>
  readonly #parts: ManualPart[] = []
  #section = ''
  /** Indentation of plain paragraphs, in columns. */
  #body = Number.POSITIVE_INFINITY
  /** Indentation of the open explanation, or null. */
  #explained: number | null = null
  /** Indentation of the last explanation within it, or null. */
  #nested: number | null = null

  constructor(text: string) {
    const lines = text.split('\n').map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
    const isText = (line: Line) => line.text !== ''
    const ends = new Set([lines.find(isText), lines.findLast(isText)])
    this.#lines = lines.filter((line) => !(ends.has(line) && MARGIN.test(line.text)))
    this.#compounds = new Set(text.toLowerCase().match(/[a-z]{2,30}-[a-z]{2,30}/g))
    for (const line of this.#lines)
      if (isText(line) && line.indent >= LEAST_INDENT) this.#body = Math.min(this.#body, line.indent)
  }

  read(): ManualPart[] {
    let block: Line[] = []
    for (const line of [...this.#lines, { indent: 0, text: '' }]) {
      const isHeading = line.indent === 0 && HEADING.test(line.text)
      if (line.text !== '' && !isHeading) {
        block.push(line)
        continue
      }
      if (block.length > 0) this.#addBlock(block)
      block = []
      if (isHeading) this.#addHeading(1, line.text)
    }
    return this.#parts
  }

  #addHeading(level: 1 | 2, text: string): void {
    this.#explained = null
    if (level === 1) this.#section = text
    this.#parts.push({ kind: 'heading', level, text })
  }

  /** Adds lines without a blank line between them. */
  #addBlock(block: readonly Line[]): void {
    // Headings of subsections are indented less than the text.
    const from = block.findIndex(({ indent, text }) => indent >= this.#body || text.length > LONGEST_TERM)
    for (const { text } of from < 0 ? block : block.slice(0, from)) this.#addHeading(2, text.replace(/:$/, ''))
    const lines = from < 0 ? [] : block.slice(from)
    if (this.#section === 'SYNOPSIS') {
      if (lines.length > 0) this.#parts.push({ kind: 'code', text: codeOf(lines) })
      return
    }
    const margin = lines.findIndex(({ indent }) => indent <= this.#body)
    this.#addDeeper(margin < 0 ? lines : lines.slice(0, margin))
    this.#addAtMargin(margin < 0 ? [] : lines.slice(margin))
  }

  /** Adds lines that are indented deeper than the text: more of an explanation, a term within it, or code. */
  #addDeeper(lines: readonly Line[]): void {
    const [first] = lines
    if (!first) return
    const isEven = lines.every(({ indent }) => indent === first.indent)
    const isKnown = this.#explained === first.indent || this.#nested === first.indent
    if (isEven && (isKnown || isProse(lines))) this.#addText(lines)
    else if (!this.#addNested(first, lines.slice(1))) this.#parts.push({ kind: 'code', text: codeOf(lines) })
  }

  /** Adds a term within an explanation as an item. Returns false if these lines are none. */
  #addNested(first: Line, below: readonly Line[]): boolean {
    const indent = below[0]?.indent ?? 0
    const { term, column } = termOf(first)
    const isBeside = column === indent
    // `/etc/kiln.conf:` above lines is the name of a file with that text.
    const isAbove = indent > first.indent && first.text.length <= LONGEST_NESTED && !first.text.endsWith(':')
    const isTerm = isBeside || isAbove
    if (this.#explained === null || !isTerm || below.some((line) => line.indent !== indent)) return false
    this.#nested = indent
    const own = isBeside ? [first.text.slice(column - first.indent)] : []
    const text = this.#joined([...own, ...below.map((line) => line.text)])
    const named = isBeside ? term : first.text
    const isPlain = NUMBER.test(named) || named.includes('`')
    this.#parts.push({ kind: 'item', text: isPlain ? `${named} ${text}` : `\`${named}\`: ${text}` })
    return true
  }

  #addAtMargin(lines: readonly Line[]): void {
    for (let at = 0; at < lines.length;) {
      const first = elementAt(lines, at)
      let end = at + 1
      while (end < lines.length && elementAt(lines, end).indent > this.#body) end++
      const below = lines.slice(at + 1, end)
      if (first.indent > this.#body) this.#addDeeper([first, ...below])
      else if (!this.#addTerm(first, below)) {
        end = at + 1
        while (end < lines.length && elementAt(lines, end).indent <= this.#body) end++
        if (this.#explained !== null) this.#parts.push({ kind: 'end' })
        this.#explained = null
        const own = lines.slice(at, end)
        if (/\bEXAMPLES?\b/.test(this.#section) && !isProse(own)) this.#parts.push({ kind: 'code', text: codeOf(own) })
        else this.#addText(own)
      }
      at = end
    }
  }

  /** Adds a term and its explanation. Returns false for a line that is no term. */
  #addTerm(first: Line, below: readonly Line[]): boolean {
    const indent = below[0]?.indent ?? null
    const { term, column } = termOf(first)
    // Spaces within a justified line do not lead to the column of the explanation.
    const isBeside = column !== null && (indent === null ? first.text.startsWith('-') : column === indent)
    if (!isBeside && (indent === null || first.text.length > LONGEST_TERM)) return false
    this.#explained = isBeside ? column : indent
    this.#nested = null
    const isItem = isBeside && BULLET.test(first.text)
    if (!isItem) this.#parts.push({ kind: 'term', text: isBeside ? term : this.#joined([first.text]) })
    const own = { indent: column ?? 0, text: first.text.slice(isItem ? 0 : (column ?? 0) - first.indent) }
    this.#addText(isBeside ? [own, ...below] : below)
    return true
  }

  #addText(lines: readonly Line[]): void {
    let kind: 'paragraph' | 'item' = 'paragraph'
    let texts: string[] = []
    const add = () => void (texts.length > 0 && this.#parts.push({ kind, text: this.#joined(texts) }))
    for (const { text } of lines) {
      const bullet = BULLET.exec(text)
      if (bullet) {
        add()
        kind = 'item'
        texts = []
      }
      texts.push(text.slice(bullet?.[0].length))
    }
    add()
  }

  /** Joins lines, and the words that troff divided. Justified lines have several spaces between words. */
  #joined(lines: readonly string[]): string {
    return lines
      .map((line, at) => {
        const half = DIVIDED.exec(line)?.[1]
        const other = /^[a-z]{2,30}/.exec(lines[at + 1] ?? '')?.[0]
        if (half === undefined || other === undefined) return at + 1 < lines.length ? `${line} ` : line
        return this.#compounds.has(`${half}-${other}`) ? line : line.slice(0, -1)
      })
      .join('')
      .replaceAll(/ {2,}/g, ' ')
  }
}

/** A term with its explanation beside it, and the column of that. */
function termOf({ indent, text }: Line): { term: string; column: number | null } {
  const found = TERM.exec(text) ?? SIX.exec(text)
  return { term: found?.[1] ?? '', column: found ? indent + found[0].length : null }
}

/** Tells sentences from commands and settings: a capital letter first, several words, and no signs of code. */
function isProse(lines: readonly Line[]): boolean {
  const text = lines.map((line) => line.text).join(' ')
  return /^[A-Z("]/.test(text) && !/[={}|\\^]/.test(text) && text.split(/ +/).length >= PROSE_WORDS
}

function codeOf(block: readonly Line[]): string {
  const least = block.reduce((so, { indent }) => Math.min(so, indent), Number.POSITIVE_INFINITY)
  return block.map(({ indent, text }) => ' '.repeat(indent - least) + text).join('\n')
}
