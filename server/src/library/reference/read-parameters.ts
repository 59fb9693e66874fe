import { replaceLinks } from '#lib/text/replace-links.ts'
import { linesOf } from '../text-lines.ts'

/** A Markdown table. Cells are Markdown with escaped bars unescaped. */
type Table = { head: string[]; rows: string[][] }

/** A parameter, field or option, read from a table or list. */
export type Parameter = {
  name: string
  type: string | null
  /** Null if the page does not say. */
  required: boolean | null
  /** Location in a request (`path`, `query`, …), or null. */
  place: string | null
  description: string
}

const NAME =
  /^(?:name|field|parameter|param|argument|option|property|prop|attribute|header|variable|key|flag|column|input|value)s?$/i
const TYPE = /^types?$/i
const REQUIRED = /^required\??$|^optional\??$/i
const PLACE = /^(?:in|place|location|where)$/i
const ABOUT = /^(?:description|meaning|details?|notes?|purpose|what it does)$/i

/**
 * Reads parameters from the tables of a text, or from a list if there are none: `` - `name` (type): description ``. Or
 * from a list of Sphinx, or from paragraphs with name and type.
 */
export function readDocumentParameters(markdown: string): Parameter[] {
  const told = tablesOf(markdown).flatMap(({ head, rows }) => fromTable(head, rows))
  if (told.length > 0) return told
  const lines = linesOf(markdown)
  for (const read of [fromList, fromBoldList, fromPairs]) {
    const found = read(lines)
    if (found.length > 0) return found
  }
  return []
}

function fromTable(head: readonly string[], rows: readonly string[][]): Parameter[] {
  const find = (pattern: RegExp) => head.findIndex((cell) => pattern.test(plain(cell)))
  const [name, type, required, place, about] = [NAME, TYPE, REQUIRED, PLACE, ABOUT].map(find)
  if (name === undefined || name < 0) return []
  const cell = (row: readonly string[], at: number | undefined) => (at === undefined || at < 0 ? '' : (row[at] ?? ''))
  const isOptional = /^optional/i.test(plain(head[required ?? -1] ?? ''))
  return rows.flatMap((row) => {
    const own = plain(cell(row, name))
    if (own === '') return []
    const said = plain(cell(row, required))
    const yes = /^(?:yes|true|required|✓|✔|✅|x)/i.test(said)
    return [
      {
        name: own,
        type: plain(cell(row, type)) || null,
        required: required === undefined || required < 0 ? null : isOptional ? !yes : yes,
        place: plain(cell(row, place)) || null,
        description: cell(row, about),
      },
    ]
  })
}

const ITEM =
  /^\s{0,3}[-*+]\s+(?:\*\*)?(?:\*?_?(optional|required)_?\*?:?\s+)?(?:\*\*)?`([^`\n]{1,120})`(?:\*\*)?\s*(?:[(<[{]\s*(?!\s)([^)\]}\n]{1,120}?)\s*[)>\]}]\s*)?(?:[:–—.-]\s*)?(.*)/is

const BOLD_ITEM = /^\s{0,3}[-*+]\s+\*\*(\*{0,2}[\w$.-]{1,80})\*\*(?=\s|$)/

/** The lists of Sphinx: `- **name** (*Optional**[**str**]*) – description`. Empty if no item has a type. */
function fromBoldList(lines: readonly string[]): Parameter[] {
  const items = lines.flatMap((line) => {
    const [mark, name = ''] = BOLD_ITEM.exec(line) ?? []
    if (mark === undefined) return []
    const rest = line.slice(mark.length).trim()
    const end = rest.startsWith('(*') ? rest.indexOf('*)') : -1
    const type = end < 0 ? null : rest.slice(1, end).replaceAll('*', '')
    const description = rest.slice(end < 0 ? 0 : end + 2).replace(/^\s{0,3}[–—-]\s{0,3}/, '')
    return [{ name, type, required: null, place: null, description }]
  })
  return items.some(({ type }) => type !== null) ? items : []
}

/** A paragraph with a name and its type, as in a system catalogue: `` `relname` `name` ``. */
const PAIR = /^`([\w$.]{1,80})` `([^`\n]{1,80})`(?: \(references [^\n]{0,300}\))?$/
/** One pair is no list of fields. */
const LEAST_PAIRS = 2

/** Paragraphs with a name and its type, each with its description below. */
function fromPairs(lines: readonly string[]): Parameter[] {
  const pairs = lines.flatMap((line, at) => {
    const [, name, type] = PAIR.exec(line.trim()) ?? []
    if (name === undefined || type === undefined) return []
    const below = lines.slice(at + 1, at + 3).find((next) => next.trim() !== '') ?? ''
    return [{ name, type, required: null, place: null, description: PAIR.test(below) ? '' : below.trim() }]
  })
  return pairs.length >= LEAST_PAIRS ? pairs : []
}

function fromList(lines: readonly string[]): Parameter[] {
  return lines.flatMap((line) => {
    const found = ITEM.exec(line)
    if (!found) return []
    const [, mark, name = '', given, description = ''] = found
    const said = `${mark ?? ''} ${given ?? ''}`
    const [own = name, declared] = name.split(/(?<!\s)\s*:\s+/, 2)
    const type =
      given
        ?.replaceAll(/(?:,\s*|(?<!\s)\s*)\b(?:optional|required)\b,?\s*/gi, '')
        .replaceAll('`', '')
        .trim() ??
      declared ??
      ''
    const required =
      /\boptional\b/i.test(said) || /^\*?\*?optional\b/i.test(description)
        ? false
        : /\brequired\b/i.test(said)
          ? true
          : null
    return [
      { name: own.replace(/[?:]$/, ''), type: type || null, required, place: null, description: description.trim() },
    ]
  })
}

function plain(cell: string): string {
  return replaceLinks(cell.replaceAll(/[`*]/g, ''), ({ label, isPicture }) => (isPicture ? `!${label}` : label)).trim()
}

/** The pipe tables of a Markdown text, in order. */
export function tablesOf(markdown: string): Table[] {
  const tables: Table[] = []
  const lines = linesOf(markdown)
  for (let at = 0; at + 1 < lines.length; at++) {
    if (!isRow(lines[at]) || !isDelimiterRow(lines[at + 1] ?? '')) continue
    const head = cellsOf(lines[at] ?? '')
    const rows: string[][] = []
    for (at += 2; at < lines.length && isRow(lines[at]); at++) rows.push(cellsOf(lines[at] ?? ''))
    tables.push({ head, rows })
    at--
  }
  return tables
}

function isRow(line: string | undefined): boolean {
  return line !== undefined && line.trimStart().startsWith('|')
}

/** True for the delimiter row of a table: `| --- | :-: |`. The last cell may lack its dashes or its bar. */
function isDelimiterRow(line: string): boolean {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .split('|')
    .map((cell) => cell.trim())
  if (cells.length > 2 && cells.at(-1) === '') cells.pop()
  const last = cells.pop() ?? ''
  return cells.length > 0 && /^:?-*:?$/.test(last) && cells.every((cell) => /^:?-+:?$/.test(cell))
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
}
