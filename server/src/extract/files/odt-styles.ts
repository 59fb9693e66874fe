import { isCodeFont, isCodeStyle } from './docx-styles.ts'
import { readXml } from './read-xml.ts'

/** What a style of paragraphs or text means. `marks` are opening tags of HTML without brackets. */
type Style = { isTitle: boolean; isCode: boolean; marks: string[] }

export type OdtStyles = {
  of: (name: string) => Style
  /** Whether a list is numbered at a level, from 0. */
  isOrdered: (list: string, level: number) => boolean
}

type Given = { parent: string; isBold: boolean; isItalic: boolean; isCode: boolean }

/** More are a circle. */
const MAX_PARENTS = 20

/** Reads the styles and lists of an OpenDocument text. Later parts win. */
export function readOdtStyles(parts: readonly (Uint8Array | undefined)[]): OdtStyles {
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
