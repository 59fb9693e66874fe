import { format, getFormatFromId, isDateFormat } from 'numfmt'
import { createDocumentWriter, type DocumentWriter } from './document-writer.ts'
import type { HtmlFile } from './extract-file.ts'
import { FileProblem } from './file-problem.ts'
import { readRelations, readTitle } from './package-parts.ts'
import { type Parts, partOf } from './read-parts.ts'
import { readXml } from './read-xml.ts'

const WORKBOOK = 'xl/workbook.xml'
/** Upper bound for the filled cells of a workbook. Beyond it, a workbook is data. */
export const MAX_CELLS = 100_000
/** A sheet with more columns is written as lines. */
const MAX_COLUMNS = 100

/** Filled cells of a row by column, from 0. */
type Row = Map<number, string>

/** Texts of cells, and the format of numbers by the style of a cell. */
type Book = { strings: readonly string[]; formats: readonly string[]; is1904: boolean; left: number }

/**
 * Converts a workbook (ECMA-376) to HTML: a section with a table for each visible sheet, as it shows its values. A
 * formula without one stays a formula: programs that write workbooks leave its value to Excel.
 */
export function xlsxToHtml(parts: Parts): HtmlFile {
  const writer = createDocumentWriter()
  const { sheets, is1904 } = readWorkbook(parts)
  const strings = readStrings(parts.get('xl/sharedStrings.xml'))
  const book: Book = { strings, formats: readFormats(parts.get('xl/styles.xml')), is1904, left: MAX_CELLS }
  for (const [index, { name, path }] of sheets.entries()) {
    const part = parts.get(path)
    if (part === undefined) continue
    const rows = readSheet(part, book)
    if (rows.length === 0) continue
    writer.begin('h2').anchor = `sheet-${index + 1}`
    writer.add(name)
    writer.end()
    writeRows(writer, rows)
  }
  // The name of the first sheet is no title of the others.
  return { html: writer.finish(), title: readTitle(parts.get('docProps/core.xml')) || null }
}

function readWorkbook(parts: Parts) {
  const targets = readRelations(parts, WORKBOOK)
  const sheets: { name: string; path: string }[] = []
  let is1904 = false
  readXml(partOf(parts, WORKBOOK), {
    open(element, { name = '', state = 'visible', date1904, ...attributes }) {
      if (element === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      if (element !== 'sheet' || state !== 'visible') return
      sheets.push({ name, path: targets.get(attributes['r:id'] ?? '') ?? '' })
    },
  })
  return { sheets, is1904 }
}

/** Reads the shared texts, without the pronunciation of Japanese ones. */
function readStrings(part: Uint8Array | undefined): string[] {
  const strings: string[] = []
  let text = ''
  let isText = false
  if (part === undefined) return strings
  readXml(part, {
    open(name) {
      if (name === 'si') text = ''
      isText = name === 't'
      return name !== 'rPh'
    },
    text: (piece) => isText && (text += piece),
    close(name) {
      isText = false
      if (name === 'si') strings.push(text)
    },
  })
  return strings
}

/** Reads the number format of each cell style. */
function readFormats(part: Uint8Array | undefined): string[] {
  const own = new Map<number, string>()
  const formats: string[] = []
  let isCells = false
  if (part === undefined) return formats
  readXml(part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isCells = true
      else if (name === 'numFmt') own.set(Number(numFmtId), formatCode)
      else if (name === 'xf' && isCells) formats.push(own.get(Number(numFmtId)) ?? getFormatFromId(Number(numFmtId)))
    },
    close: (name) => void (isCells &&= name !== 'cellXfs'),
  })
  return formats
}

/** Reads the rows with filled cells. Throws `FileProblem` beyond the cells that the workbook may have. */
function readSheet(part: Uint8Array, book: Book): Row[] {
  const rows: Row[] = []
  let row: Row = new Map()
  let cell = { column: -1, type: 'n', style: 0, text: '', formula: '' }
  let isValue = false
  let isFormula = false
  const endCell = () => {
    const text = cellText(cell, book).trim()
    if (text === '') return
    if (--book.left < 0) {
      throw new FileProblem(
        'too_large',
        `The workbook has more than ${MAX_CELLS.toLocaleString('en')} filled cells. Divide it.`,
      )
    }
    if (row.size === 0) rows.push(row)
    row.set(cell.column, text)
  }
  readXml(part, {
    open(name, { r, t = 'n', s = '0' }) {
      if (name === 'row') {
        row = new Map()
        cell.column = -1
      } else if (name === 'c') {
        cell = { column: columnOf(r) ?? cell.column + 1, type: t, style: Number(s), text: '', formula: '' }
      }
      isValue = name === 'v' || name === 't'
      isFormula = name === 'f'
      return name !== 'rPh'
    },
    text(text) {
      if (isValue) cell.text += text
      else if (isFormula) cell.formula += text
    },
    close(name) {
      isValue = isFormula = false
      if (name === 'c') endCell()
    },
  })
  return rows
}

/** Column of a reference such as `AB12`, from 0. Null without one. */
function columnOf(reference = ''): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (letters === undefined) return null
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Days between the first days of both calendars. */
const DAYS_1904 = 1_462

type Cell = { type: string; style: number; text: string; formula: string }

/** Returns the value of a cell as the workbook shows it. */
function cellText({ type, style, text, formula }: Cell, book: Book): string {
  // The value of a formula of type `str` can be the empty text.
  if (text === '') return formula === '' || type === 'str' ? '' : `=${formula}`
  if (type === 's') return book.strings[Number(text)] ?? ''
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return text
  const pattern = book.formats[style] ?? 'General'
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  const isDate = book.is1904 && isDateFormat(pattern)
  return format(pattern, isDate ? number + DAYS_1904 : number, { throws: false })
}

/** Writes a table. A row with one cell above the widest rows is a line of text. */
function writeRows(writer: DocumentWriter, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].toSorted((a, b) => a - b)
  const begin = rows.findIndex((row) => row.size > 1)
  const lines = columns.length > MAX_COLUMNS || begin < 0 ? rows : rows.slice(0, begin)
  for (const line of lines) {
    writer.begin()
    writer.add([...line.values()].join(' | '))
    writer.end()
  }
  if (lines.length === rows.length) return
  writer.openTable()
  for (const row of rows.slice(lines.length)) {
    writer.openRow()
    for (const column of columns) writer.addCell(row.get(column) ?? '')
    writer.closeRow()
  }
  writer.closeTable()
}
