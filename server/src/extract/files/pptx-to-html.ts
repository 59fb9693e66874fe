import { createDocumentWriter, type DocumentWriter } from './document-writer.ts'
import { isCodeFont } from './docx-styles.ts'
import type { HtmlFile } from './extract-file.ts'
import { linkMark, readRelations, readTitle } from './package-parts.ts'
import { type Parts, partOf } from './read-parts.ts'
import { type Attributes, readXml } from './read-xml.ts'

const PRESENTATION = 'ppt/presentation.xml'
const TITLE = /^(?:title|ctrTitle)$/
/** Placeholders without text of the slide: date, footer, header and number. */
const MARGIN = /^(?:dt|ftr|hdr|sldNum)$/
/** Placeholders whose paragraphs are lists unless they say otherwise. One without a type is `obj`. */
const LIST = /^(?:body|obj)$/
const SKIPPED = new Set(['Fallback', 'endParaRPr', 'timing', 'transition', 'tblPr', 'tblGrid'])

type State = {
  writer: DocumentWriter
  links: ReadonlyMap<string, string>
  chooses: (type: string | null) => boolean
  /** Notes are prose, although their placeholder is that of a list. */
  isNotes?: boolean
  /** Type of the placeholder of the open shape. */
  type: string | null
  marks: string[]
  isText: boolean
}

/** Converts a presentation (ECMA-376) to HTML: a section for each slide, with lists, tables and the speaker's notes. */
export function pptxToHtml(parts: Parts): HtmlFile {
  const writer = createDocumentWriter()
  let first = ''
  for (const [index, path] of slidesOf(parts).entries()) {
    const slide = partOf(parts, path)
    const links = readRelations(parts, path)
    const title = titleOf(slide)
    first ||= title
    writer.begin('h2').anchor = `slide-${index + 1}`
    writer.add(`Slide ${index + 1}${title === '' ? '' : `: ${title}`}`)
    writer.end()
    readShapes({ writer, links, chooses: (type) => type === null || !(TITLE.test(type) || MARGIN.test(type)) }, slide)
    const notes = links.values().find((target) => target.startsWith('ppt/notesSlides/'))
    const part = parts.get(notes ?? '')
    if (part !== undefined) readShapes({ writer, links, chooses: (type) => type === 'body', isNotes: true }, part)
  }
  return { html: writer.finish(), title: readTitle(parts.get('docProps/core.xml')) || first }
}

/** Paths of the slides in their order. */
function slidesOf(parts: Parts): string[] {
  const targets = readRelations(parts, PRESENTATION)
  const paths = new Set<string>()
  readXml(partOf(parts, PRESENTATION), {
    open(name, attributes) {
      const path = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (path !== undefined) paths.add(path)
    },
  })
  return [...paths]
}

function titleOf(slide: Uint8Array): string {
  const writer = createDocumentWriter()
  writer.begin('h2')
  readShapes({ writer, links: new Map(), chooses: (type) => type !== null && TITLE.test(type) }, slide)
  return (
    writer
      .current()
      ?.inner.map(({ plain }) => plain.trim())
      .filter((text) => text !== '')
      .join(' ') ?? ''
  )
}

function readShapes(given: Pick<State, 'writer' | 'links' | 'chooses' | 'isNotes'>, part: Uint8Array): void {
  const state: State = { ...given, type: null, marks: [], isText: false }
  readXml(part, {
    open: (name, attributes) => !SKIPPED.has(name) && OPEN[name]?.(state, attributes),
    text: (text) => state.isText && state.writer.add(text, state.marks),
    close: (name) => CLOSE[name]?.(state),
  })
}

const OPEN: Readonly<Record<string, (state: State, attributes: Attributes) => boolean | void>> = {
  sp: (state) => void (state.type = null),
  graphicFrame: (state) => void (state.type = null),
  ph: (state, { type = 'obj' }) => void (state.type = type),
  txBody: ({ type, chooses }) => chooses(type),
  tbl: ({ writer, chooses }) => {
    if (!chooses(null)) return false
    writer.openTable()
    return true
  },
  tr: ({ writer }) => writer.openRow(),
  tc: ({ writer }, { gridSpan, hMerge }) => {
    if (hMerge === '1' || hMerge === 'true') return false
    writer.openCell(Number(gridSpan) || 1)
    return true
  },
  p: ({ writer, type, isNotes }) => {
    const paragraph = writer.begin()
    if (isNotes !== true && type !== null && LIST.test(type)) paragraph.item = { level: 0, isOrdered: false }
  },
  pPr: ({ writer }, { lvl }) => {
    const item = writer.current()?.item
    if (item) item.level = Math.max(0, Math.min(8, Number(lvl) || 0))
  },
  buNone: ({ writer }) => setItem(writer, null),
  buChar: ({ writer }) => setItem(writer, false),
  buAutoNum: ({ writer }) => setItem(writer, true),
  r: (state) => void (state.marks = []),
  rPr: (state, { b, i }) => void (state.marks = [...(b === '1' ? ['b'] : []), ...(i === '1' ? ['i'] : [])]),
  latin: (state, { typeface }) => {
    if (isCodeFont(typeface)) state.marks = ['code']
  },
  hlinkClick: (state, attributes) => {
    const mark = linkMark(state.links.get(attributes['r:id'] ?? ''))
    if (mark !== '') state.marks = [mark, ...state.marks]
  },
  // Fields of numbers and dates.
  fld: (_, { type = '' }) => !/^(?:slidenum|datetime)/.test(type),
  t: (state) => void (state.isText = true),
  br: ({ writer }) => writer.addLineBreak(),
}

const CLOSE: Readonly<Record<string, (state: State) => void>> = {
  tbl: ({ writer }) => writer.closeTable(),
  tr: ({ writer }) => writer.closeRow(),
  tc: ({ writer }) => writer.closeCell(),
  p: ({ writer }) => writer.end(),
  r: (state) => void (state.marks = []),
  t: (state) => void (state.isText = false),
}

function setItem(writer: DocumentWriter, isOrdered: boolean | null): void {
  const paragraph = writer.current()
  if (paragraph !== undefined)
    paragraph.item = isOrdered === null ? null : { level: paragraph.item?.level ?? 0, isOrdered }
}
