import { type DocumentWriter, createDocumentWriter } from './document-writer.ts'
import type { HtmlFile } from './extract-file.ts'
import { linkMark, readTitle } from './package-parts.ts'
import { type Parts, partOf, protectedByPassword } from './read-parts.ts'
import { type Attributes, readXml } from './read-xml.ts'
import { isCodeFont, isCodeStyle } from './docx-styles.ts'

/** Elements without text of the document: deleted text, comments, forms, and lists of its headings. */
const SKIPPED = new Set(
  'tracked-changes annotation annotation-end forms scripts automatic-styles table-of-content illustration-index'.split(
    ' ',
  ),
)
/** Spaces that one element can stand for. */
const MAX_SPACES = 200
/** Columns that one cell can stand for. More are margins. */
const MAX_COLUMNS = 100

type State = {
  writer: DocumentWriter
  styles: OdtStyles
  /** Open lists, and whether the next paragraph begins an item. */
  lists: { style: string; isNew: boolean }[]
  /** Marks of the open spans and links. */
  marks: string[][]
  title: string
}

/** Converts an OpenDocument text (ISO 26300) to HTML: headings, lists, tables, code, links and notes. */
export function odtToHtml(parts: Parts): HtmlFile {
  const isEncrypted = /<manifest:encryption-data\b/.test(
    Buffer.from(parts.get('META-INF/manifest.xml') ?? []).toString(),
  )
  if (isEncrypted) throw protectedByPassword()
  const content = partOf(parts, 'content.xml')
  const styles = readOdtStyles([parts.get('styles.xml'), content])
  const state: State = { writer: createDocumentWriter(), styles, lists: [], marks: [], title: '' }
  readXml(content, {
    open: (name, attributes) => !SKIPPED.has(name) && OPEN[name]?.(state, attributes),
    text: (text) => state.writer.add(text.replaceAll(/\s+/g, ' '), state.marks.flat()),
    close: (name) => CLOSE[name]?.(state),
  })
  return { html: state.writer.finish(), title: state.title || readTitle(parts.get('meta.xml')) }
}

const OPEN: Readonly<Record<string, (state: State, attributes: Attributes) => boolean | void>> = {
  h: ({ writer }, attributes) => {
    const level = Number(attributes['text:outline-level']) || 1
    writer.begin(`h${Math.max(1, Math.min(6, level))}`)
  },
  p: ({ writer, styles, lists, marks }, attributes) => {
    const style = styles.of(attributes['text:style-name'] ?? '')
    const paragraph = writer.begin(style.isTitle ? 'h1' : style.isCode ? 'pre' : 'p')
    marks.push(style.isBold ? ['b'] : [])
    const list = lists.at(-1)
    if (list === undefined) return
    const level = lists.length - 1
    paragraph.item = { level, isOrdered: styles.isOrdered(list.style, level), goesOn: !list.isNew }
    list.isNew = false
  },
  list: ({ lists }, attributes) => {
    lists.push({ style: attributes['text:style-name'] ?? lists.at(-1)?.style ?? '', isNew: true })
  },
  'list-item': ({ lists }) => void Object.assign(lists.at(-1) ?? {}, { isNew: true }),
  span: ({ marks, styles }, attributes) => void marks.push(styles.of(attributes['text:style-name'] ?? '').marks),
  a: ({ marks }, attributes) => void marks.push([linkMark(attributes['xlink:href'])].filter((mark) => mark !== '')),
  s: ({ writer }, attributes) => writer.add(' '.repeat(numberOf(attributes['text:c'], MAX_SPACES))),
  tab: ({ writer }) => writer.add('\t'),
  'line-break': ({ writer }) => writer.addLineBreak(),
  'note-citation': ({ writer }) => writer.add('['),
  table: ({ writer }) => writer.openTable(),
  'table-row': ({ writer }) => writer.openRow(),
  'table-cell': openCell,
  'covered-table-cell': openCell,
}

const CLOSE: Readonly<Record<string, (state: State) => void>> = {
  h: ({ writer }) => writer.end(),
  p: (state) => {
    const paragraph = state.writer.current()
    if (state.title === '' && paragraph?.tag === 'h1') state.title = paragraph.plain
    state.marks.pop()
    state.writer.end()
  },
  list: ({ lists }) => void lists.pop(),
  span: ({ marks }) => void marks.pop(),
  a: ({ marks }) => void marks.pop(),
  'note-citation': ({ writer }) => writer.add(']'),
  table: ({ writer }) => writer.closeTable(),
  'table-row': ({ writer }) => writer.closeRow(),
  'table-cell': ({ writer }) => writer.closeCell(),
  'covered-table-cell': ({ writer }) => writer.closeCell(),
}

/** Opens a cell, after the empty ones that it stands for. */
function openCell({ writer }: State, attributes: Attributes): void {
  const columns = numberOf(attributes['table:number-columns-repeated'], MAX_COLUMNS)
  for (let column = 1; column < columns; column++) {
    writer.openCell()
    writer.closeCell()
  }
  writer.openCell()
}

function numberOf(value = '1', most: number): number {
  return Math.max(1, Math.min(Number.parseInt(value, 10) || 1, most))
}

/**
 * What a style of paragraphs or text means. `marks` are opening tags of HTML without brackets. `isBold`: the style itself
 * is bold, not one that it is based on, such as that of table headings.
 */
type Style = { isTitle: boolean; isCode: boolean; isBold: boolean; marks: string[] }

type OdtStyles = {
  of: (name: string) => Style
  isOrdered: (list: string, level: number) => boolean
}

type Given = { parent: string; isBold: boolean; isItalic: boolean; isCode: boolean }

/** More are a circle. */
const MAX_PARENTS = 20

/** Reads the styles and lists of an OpenDocument text. Later parts win. */
function readOdtStyles(parts: readonly (Uint8Array | undefined)[]): OdtStyles {
  const styles = new Map<string, Given>()
  /** Numbered levels, by list. */
  const numbered = new Map<string, Set<number>>()
  for (const part of parts) if (part !== undefined) readStyles(part, styles, numbered)
  const known = new Map<string, Style>()
  const of = (name: string): Style => {
    const style = known.get(name) ?? resolve(styles, name)
    known.set(name, style)
    return style
  }
  return { of, isOrdered: (list, level) => numbered.get(list)?.has(level) ?? false }
}

function resolve(styles: ReadonlyMap<string, Given>, name: string): Style {
  const chain: { name: string; given: Given }[] = []
  for (let next = name, given = styles.get(next); given !== undefined && chain.length < MAX_PARENTS;) {
    chain.push({ name: next.replaceAll('_20_', ' '), given })
    next = given.parent
    given = styles.get(next)
  }
  const isCode = chain.some((style) => style.given.isCode || isCodeStyle(style.name))
  const isBold = chain.some(({ given }) => given.isBold)
  const isItalic = chain.some(({ given }) => given.isItalic)
  return {
    isTitle: chain.some((style) => style.name === 'Title'),
    isCode,
    isBold: chain[0]?.given.isBold ?? false,
    marks: isCode ? ['code'] : [...(isBold ? ['b'] : []), ...(isItalic ? ['i'] : [])],
  }
}

function readStyles(part: Uint8Array, styles: Map<string, Given>, numbered: Map<string, Set<number>>): void {
  let style: Given = { parent: '', isBold: false, isItalic: false, isCode: false }
  let levels = new Set<number>()
  readXml(part, {
    open(name, attributes) {
      if (name === 'style') {
        style = { parent: attributes['style:parent-style-name'] ?? '', isBold: false, isItalic: false, isCode: false }
        styles.set(attributes['style:name'] ?? '', style)
      } else if (name === 'text-properties') {
        style.isBold ||= attributes['fo:font-weight'] === 'bold'
        style.isItalic ||= attributes['fo:font-style'] === 'italic'
        style.isCode ||= isCodeFont(attributes['style:font-name'] ?? attributes['fo:font-family'])
      } else if (name === 'list-style') numbered.set(attributes['style:name'] ?? '', (levels = new Set<number>()))
      else if (name === 'list-level-style-number') levels.add(Number(attributes['text:level']) - 1)
      return name !== 'body' && name !== 'master-styles' && name !== 'default-style'
    },
  })
}
