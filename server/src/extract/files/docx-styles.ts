import type { Parts } from './read-parts.ts'
import { readXml } from './read-xml.ts'

/** What a style of paragraphs or text means. `outline` is 0 for the highest level of headings. */
type Style = {
  isTitle: boolean
  isCode: boolean
  /** True for lines of a table of contents. */
  isContents: boolean
  outline: number | null
  numbering: string
  level: number
}

export type DocxStyles = {
  of: (id: string) => Style
  /** Whether a list is numbered at a level. Null without a list. */
  listOf: (numbering: string, level: number) => boolean | null
}

/** As in `styles.xml`. */
type Given = { name: string; base: string; outline?: number; numbering?: string; level?: number; isCode?: boolean }

/** More are a circle. */
const MAX_BASES = 20

const CODE_FONT = /\b(?:mono|courier|consolas|menlo|monaco|inconsolata)|code\b/i
const CODE_STYLE = /\bcode\b|preformatted|verbatim|\bsource text\b|\blisting\b|sourcecode/i

export function isCodeFont(font = ''): boolean {
  return CODE_FONT.test(font)
}

/** True for the name of a style of code: `Source Code`, `HTML Preformatted`, `Verbatim Char`. */
export function isCodeStyle(name: string): boolean {
  return CODE_STYLE.test(name)
}

/** Reads the styles and lists of a Word document. Damaged ones count as absent. */
export function readDocxStyles(parts: Parts): DocxStyles {
  const given = readStyles(parts.get('word/styles.xml'))
  const lists = readLists(parts.get('word/numbering.xml'))
  const known = new Map<string, Style>()
  const of = (id: string): Style => {
    const style = known.get(id) ?? resolve(given, id)
    known.set(id, style)
    return style
  }
  return { of, listOf: (numbering, level) => lists.get(numbering)?.get(level) ?? null }
}

function resolve(given: ReadonlyMap<string, Given>, id: string): Style {
  const chain: Given[] = []
  for (let next = given.get(id); next !== undefined && chain.length < MAX_BASES; next = given.get(next.base))
    chain.push(next)
  const first = <K extends keyof Given>(key: K) => chain.find((style) => style[key] !== undefined)?.[key]
  const name = chain[0]?.name ?? id
  const heading = /^heading ?(\d)$/i.exec(name)?.[1]
  return {
    isTitle: /^title$/i.test(name),
    isCode: isCodeStyle(name) || first('isCode') === true,
    isContents: /^(?:toc ?\d|toc heading|contents (?:\d|heading)|table of figures)$/i.test(name),
    outline: first('outline') ?? (heading === undefined ? null : Number(heading) - 1),
    numbering: first('numbering') ?? '',
    level: first('level') ?? 0,
  }
}

function readStyles(part: Uint8Array | undefined): Map<string, Given> {
  const styles = new Map<string, Given>()
  let style: Given = { name: '', base: '' }
  if (part === undefined) return styles
  readXml(part, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'style') styles.set(attributes['w:styleId'] ?? '', (style = { name: '', base: '' }))
      else if (name === 'name') style.name = value
      else if (name === 'basedOn') style.base = value
      else if (name === 'outlineLvl') style.outline = Number(value)
      else if (name === 'numId') style.numbering = value
      else if (name === 'ilvl') style.level = Number(value)
      else if (name === 'rFonts' && isCodeFont(attributes['w:ascii'])) style.isCode = true
      return name !== 'docDefaults' && name !== 'tblStylePr'
    },
  })
  return styles
}

/** Returns by list and level whether it is numbered. Levels without a sign are no list. */
function readLists(part: Uint8Array | undefined): Map<string, Map<number, boolean>> {
  const definitions = new Map<string, Map<number, boolean>>()
  const lists = new Map<string, Map<number, boolean>>()
  let levels = new Map<number, boolean>()
  let level = 0
  let list = ''
  if (part === undefined) return lists
  readXml(part, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'abstractNum')
        definitions.set(attributes['w:abstractNumId'] ?? '', (levels = new Map<number, boolean>()))
      else if (name === 'lvl') level = Number(attributes['w:ilvl'])
      else if (name === 'numFmt' && value !== 'none') levels.set(level, value !== 'bullet')
      else if (name === 'num') list = attributes['w:numId'] ?? ''
      else if (name === 'abstractNumId') lists.set(list, definitions.get(value) ?? new Map<number, boolean>())
      return name !== 'lvlOverride'
    },
  })
  return lists
}
