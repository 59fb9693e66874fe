import { createDocumentWriter, type DocumentWriter } from './document-writer.ts'
import { type DocxStyles, isCodeFont, readDocxStyles } from './docx-styles.ts'
import type { HtmlFile } from './extract-file.ts'
import { linkMark, readRelations, readTitle } from './package-parts.ts'
import { type Parts, partOf } from './read-parts.ts'
import { type Attributes, readXml, type XmlVisitor } from './read-xml.ts'

/**
 * Elements without text of the document: deleted text, codes of fields, earlier formats, and what older programs show
 * instead of a drawing.
 */
const SKIPPED = new Set(
  'del delText delInstrText instrText moveFrom Fallback pPrChange rPrChange sectPr tblPr tblGrid tblPrEx trPr'.split(
    ' ',
  ),
)
const NOTES: Readonly<Record<string, string>> = {
  footnoteReference: 'word/footnotes.xml',
  endnoteReference: 'word/endnotes.xml',
}

/** Properties of a run of text. */
type Run = { bold: boolean; italic: boolean; struck: boolean; code: boolean; hidden: boolean }
const PLAIN: Run = { bold: false, italic: false, struck: false, code: false, hidden: false }

/** Properties of a paragraph: its style, its list, and its level in the outline. */
type Properties = { style: string; numbering?: string; level?: number; outline?: number }

type State = {
  writer: DocumentWriter
  styles: DocxStyles
  links: ReadonlyMap<string, string>
  paragraphs: Properties[]
  /** Marks of the open links. */
  hrefs: string[]
  run: Run
  isText: boolean
  /** Columns of a cell that is not written yet: its properties come after its beginning. */
  cell: number | null
  /** Parts with notes that the document refers to. */
  notes: Set<string>
  title: string
}

/** Converts a Word document (ECMA-376) to HTML: headings, lists, tables, code, links, and its notes at the end. */
export function docxToHtml(parts: Parts): HtmlFile {
  const document = partOf(parts, 'word/document.xml')
  const state: State = {
    writer: createDocumentWriter(),
    styles: readDocxStyles(parts),
    links: readRelations(parts, 'word/document.xml'),
    paragraphs: [],
    hrefs: [],
    run: PLAIN,
    isText: false,
    cell: null,
    notes: new Set(),
    title: '',
  }
  const visitor: XmlVisitor = {
    open: (name, attributes) => !SKIPPED.has(name) && OPEN[name]?.(state, attributes),
    text: (text) => state.isText && add(state, text),
    close: (name) => CLOSE[name]?.(state),
  }
  readXml(document, visitor)
  for (const path of state.notes) {
    const part = parts.get(path)
    if (part !== undefined) readXml(part, visitor)
  }
  return { html: state.writer.finish(), title: state.title || readTitle(parts.get('docProps/core.xml')) }
}

const OPEN: Readonly<Record<string, (state: State, attributes: Attributes) => boolean | void>> = {
  p: (state) => {
    openCell(state)
    state.paragraphs.push({ style: '' })
    state.writer.begin()
  },
  pStyle: (state, attributes) => setProperty(state, { style: valueOf(attributes) }),
  numId: (state, attributes) => setProperty(state, { numbering: valueOf(attributes) }),
  ilvl: (state, attributes) => setProperty(state, { level: Number(valueOf(attributes)) || 0 }),
  outlineLvl: (state, attributes) => setProperty(state, { outline: Number(valueOf(attributes)) }),
  r: (state) => void (state.run = PLAIN),
  b: (state, attributes) => setRun(state, { bold: isOn(attributes) }),
  i: (state, attributes) => setRun(state, { italic: isOn(attributes) }),
  strike: (state, attributes) => setRun(state, { struck: isOn(attributes) }),
  vanish: (state, attributes) => setRun(state, { hidden: isOn(attributes) }),
  rStyle: (state, attributes) => setRun(state, { code: state.styles.of(valueOf(attributes)).isCode }),
  rFonts: (state, attributes) => isCodeFont(attributes['w:ascii']) && setRun(state, { code: true }),
  t: (state) => void (state.isText = true),
  tab: (state) => add(state, '\t'),
  noBreakHyphen: (state) => add(state, '-'),
  br: ({ writer }) => writer.addLineBreak(),
  cr: ({ writer }) => writer.addLineBreak(),
  hyperlink: ({ hrefs, links }, attributes) => void hrefs.push(linkMark(links.get(attributes['r:id'] ?? ''))),
  footnoteReference: (state, attributes) => addNote(state, 'footnoteReference', attributes),
  endnoteReference: (state, attributes) => addNote(state, 'endnoteReference', attributes),
  // Those with a type are lines between text and notes.
  footnote: (_, attributes) => attributes['w:type'] === undefined,
  endnote: (_, attributes) => attributes['w:type'] === undefined,
  tbl: (state) => {
    openCell(state)
    state.writer.openTable()
  },
  tr: ({ writer }) => writer.openRow(),
  tc: (state) => void (state.cell = 1),
  gridSpan: (state, attributes) => void (state.cell = Number(valueOf(attributes)) || 1),
}

const CLOSE: Readonly<Record<string, (state: State) => void>> = {
  pPr: (state) => applyProperties(state),
  p: (state) => {
    const properties = state.paragraphs.pop()
    state.run = PLAIN
    const style = state.styles.of(properties?.style ?? '')
    if (style.isTitle && state.title === '') state.title = state.writer.current()?.plain ?? ''
    state.writer.end({ isDropped: style.isContents })
  },
  r: (state) => void (state.run = PLAIN),
  t: (state) => void (state.isText = false),
  hyperlink: ({ hrefs }) => void hrefs.pop(),
  tbl: ({ writer }) => writer.closeTable(),
  tr: ({ writer }) => writer.closeRow(),
  tc: (state) => {
    openCell(state)
    state.writer.closeCell()
  },
}

function valueOf(attributes: Attributes): string {
  return attributes['w:val'] ?? ''
}

function isOn({ 'w:val': value = 'true' }: Attributes): boolean {
  return !/^(?:false|0|off)$/.test(value)
}

function openCell(state: State): void {
  if (state.cell !== null) state.writer.openCell(state.cell)
  state.cell = null
}

function setProperty({ paragraphs }: State, property: Partial<Properties>): void {
  Object.assign(paragraphs.at(-1) ?? {}, property)
}

function setRun(state: State, property: Partial<Run>): void {
  state.run = { ...state.run, ...property }
}

/** Chooses the element of the paragraph by its style, outline level and list. */
function applyProperties({ writer, styles, paragraphs }: State): void {
  const paragraph = writer.current()
  const properties = paragraphs.at(-1)
  if (paragraph === undefined || properties === undefined) return
  const style = styles.of(properties.style)
  const outline = properties.outline ?? style.outline
  if (style.isTitle) paragraph.tag = 'h1'
  else if (outline !== null && outline < 9) paragraph.tag = `h${Math.min(6, outline + 1)}`
  else if (style.isCode) paragraph.tag = 'pre'
  else {
    const level = properties.level ?? style.level
    const isOrdered = styles.listOf(properties.numbering ?? style.numbering, level)
    paragraph.item = isOrdered === null ? null : { level, isOrdered }
  }
}

function add({ writer, run, hrefs }: State, text: string): void {
  if (run.hidden) return
  const marks = run.code
    ? ['code']
    : [run.bold && 'b', run.italic && 'i', run.struck && 's'].filter((mark) => mark !== false)
  writer.add(text, [...hrefs.slice(-1).filter((href) => href !== ''), ...marks])
}

function addNote(state: State, name: string, attributes: Attributes): void {
  state.notes.add(NOTES[name] ?? '')
  add(state, `[${attributes['w:id'] ?? ''}]`)
}
