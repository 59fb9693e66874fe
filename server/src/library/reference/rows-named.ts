import { elementAt } from '#lib/element-at.ts'
import type { Section } from '#documents/model/document.ts'
import { partOfSection } from '#documents/model/sections.ts'
import { plainHeading } from '#documents/model/plain-inline.ts'

/** A row of a table, an item of a list or a definition about a name, with its own text. */
export type NamedRow = { section: Section; name: string; text: string }

/** Rows of one name in a page. */
const MOST = 3
/** Characters of a row. Longer ones hold other things too. */
const LONGEST = 2_000
/** Empty cells before the name of a row. */
const MOST_EMPTY = 1
/** A longer first cell, term or label is prose. */
const MAX_NAME = 120

type Line = { start: number; text: string }

/**
 * The rows about a name: of tables of options with their header, items of lists and paragraphs that begin with the name
 * as code or in bold, and definitions. Linear in the length of the page.
 */
export function rowsNamed(
  { markdown, sections }: { markdown: string; sections: readonly Section[] },
  asked: string,
): NamedRow[] {
  const wanted =
    asked
      .trim()
      .split(/\s(?=-)/)
      .at(-1) ?? asked
  const lines = markdown.toLowerCase().includes(wanted.toLowerCase()) ? linesWithPlaces(markdown) : []
  const rows: NamedRow[] = []
  let header = ''
  let isCode = false
  for (const [at, line] of lines.entries()) {
    if (rows.length >= MOST) break
    if (/^\s{0,3}(?:```|~~~)/.test(line.text)) isCode = !isCode
    if (isCode) continue
    if (RULE.test(line.text)) header = `${lines[at - 1]?.text ?? ''}\n${line.text}\n`
    else if (!line.text.startsWith('|')) header = ''
    else if (header !== '' && TITLE.test(line.text)) header = `${line.text}\n${header.split('\n')[1]}\n`
    const found =
      tableRow(line, header, wanted) ??
      listItem(lines, at, wanted) ??
      definition(lines, at, wanted) ??
      labelled(lines, at, wanted)
    if (found === null) continue
    const end = line.start + line.text.length
    const outer = sections.findLast(({ start }) => start <= line.start)
    rows.push({ ...found, section: partOfSection(outer, { start: line.start, end }) })
  }
  return rows
}

type Found = Pick<NamedRow, 'name' | 'text'> | null

const RULE = /^\|[-:| \t]{3,400}$/
/** A row that titles those below it: `| **Archive filters** | | |`. */
const TITLE = /^\| ?\*\*[^*|]{1,120}\*\* ?\|[| \t]{1,400}$/

function tableRow({ text }: Line, header: string, wanted: string): Found {
  if (header === '' || !text.startsWith('|') || RULE.test(text)) return null
  // Before options, some generators write an empty cell.
  const cell = text.split(/(?<!\\)\|/, MOST_EMPTY + 2).find((each) => each.trim() !== '') ?? ''
  const name = nameIn(cell, wanted)
  return name === null ? null : { name, text: header + text.slice(0, LONGEST) }
}

/** `- **name**: what it does`, with its continuation lines. */
function listItem(lines: readonly Line[], at: number, wanted: string): Found {
  const { text } = elementAt(lines, at)
  const [, indent = '', label = '', rest = ''] =
    /^(\s{0,12})[-*+][ \t]+((?:\*\*|`)[^*`\n]{1,120}(?:`|\*\*){1,2})([^\n]*)$/.exec(text) ?? []
  if (label === '' || (rest.trim() === '' && !isDeeper(lines[at + 1], indent.length))) return null
  const name = nameIn(label, wanted, label.startsWith('**'))
  return name === null ? null : { name, text: block(lines, at, (line) => isDeeper(line, indent.length)) }
}

/** A paragraph that begins with a label: `**M8 bolt**: holds the lid.`, `**M8 bolt:** holds the lid.` */
const LABELLED =
  /^(?:\*\*([^*\n]{1,119})[:：]\*\*|\*\*([^*\n]{1,120})\*\*[ \t]{0,2}[:：–—-]|(`[^`\n]{1,120}`)[ \t]{0,2}[:：–—])[ \t]{0,4}\S/

function labelled(lines: readonly Line[], at: number, wanted: string): Found {
  const [found = '', inside, bold, code = ''] = LABELLED.exec(elementAt(lines, at).text) ?? []
  const label = inside ?? bold
  const name = found === '' ? null : nameIn(label ?? code, wanted, label !== undefined)
  if (name === null) return null
  const end = lines.findIndex((line, index) => index > at && (line.text.trim() === '' || LABELLED.test(line.text)))
  const own = lines.slice(at, end < 0 ? undefined : end).map(({ text }) => text)
  return { name, text: own.join('\n').slice(0, LONGEST).trimEnd() }
}

/** A term, and below it lines that begin with `: `. */
function definition(lines: readonly Line[], at: number, wanted: string): Found {
  const { text } = elementAt(lines, at)
  if (!lines[at + 1]?.text.startsWith(': ') || /^[:#|>\s]/.test(text)) return null
  const name = nameIn(text, wanted, true)
  return name === null ? null : { name, text: block(lines, at, (line) => /^(?::|[ \t])/.test(line?.text ?? '')) }
}

/** The lines from one on as long as the next belongs to them, also after a blank line. */
function block(lines: readonly Line[], from: number, belongs: (line: Line | undefined) => boolean): string {
  let text = elementAt(lines, from).text
  for (let at = from + 1; at < lines.length && text.length < LONGEST; at++) {
    const line = elementAt(lines, at)
    if (!belongs(line) && !(line.text.trim() === '' && belongs(lines[at + 1]))) break
    text += `\n${line.text}`
  }
  return text.slice(0, LONGEST).trimEnd()
}

function isDeeper(line: Line | undefined, indent: number): boolean {
  const [, spaces = ''] = /^(\s*)\S/.exec(line?.text ?? '') ?? []
  return spaces.length > indent
}

/** The name in a cell, a label or a term if it is the wanted one: alone, among others, or with a value behind it. */
function nameIn(text: string, wanted: string, ignoreCase = false): string | null {
  if (text.length > MAX_NAME) return null
  const fold = (name: string) => (ignoreCase ? name.toLowerCase() : name)
  const names = plainHeading(text.trim()).split(/,\s|\s\/\s|<br ?\/?>|\s\|\s/)
  const is = (name: string) => {
    const own = fold(name.trim())
    const key = fold(wanted)
    return (
      own === key || (own.startsWith(key) && /^(?:[ =]?[<[({]|[=:]|\s+[A-Z<[{])/.test(name.trim().slice(key.length)))
    )
  }
  return names.some(is) ? plainHeading(text.trim()) : null
}

function linesWithPlaces(markdown: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start <= markdown.length;) {
    const found = markdown.indexOf('\n', start)
    const end = found < 0 ? markdown.length : found
    lines.push({ start, text: markdown.slice(start, end) })
    start = end + 1
  }
  return lines
}
