import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from './one-line.ts'

/** Definitions this long on average are sections, which their terms are the headings of. */
const SECTION = 300
/** What is looked at of one: more text says no more, and lists may be nested without end. */
const MOST_LENGTH = 3_000
const MOST_NODES = 2_000
/** A longer term is prose. */
const MAX_TERM = 300
/** Fields of a signature, footnotes and facts about a document look like definitions and are none. */
const OTHER = /(?:^|\s)(?:field-list|docinfo|footnote|citation|option-list|toc|index)(?:\s|$)/
/** What a heading at the margin would break open. */
const INDENTED = new Set(['li', 'td', 'th', 'blockquote'])

/** Says of a list of definitions whether its terms are headings; remembers what it found. */
export type NamedDefinitions = (list: number) => boolean

/**
 * Lists whose terms can be linked to, as the settings of a manual by DocBook or the terms of a glossary, and those of
 * definitions as long as sections, as the options of a manual page.
 */
export function createNamedDefinitions(tree: HtmlTree): NamedDefinitions {
  const known = new Map<number, boolean>()
  return (list) => {
    let named = known.get(list)
    if (named === undefined) known.set(list, (named = areSections(tree, list)))
    return named
  }
}

function areSections(tree: HtmlTree, index: number): boolean {
  const list = tree[index]
  if (list?.tag !== 'dl' || OTHER.test(attribute(list, 'class')) || isIndented(tree, list)) return false
  let terms = 0
  let definitions = 0
  let length = 0
  let anchored = 0
  for (let i = index + 1; i < list.end; i = tree[i]?.end ?? list.end) {
    const node = tree[i]
    if (node === undefined || node.dropped) continue
    if (node.tag === 'dt') {
      if (oneLine(textOf(tree, i, node.end, MAX_TERM + 1)).length > MAX_TERM) return false
      terms++
      if (termAnchor(tree, i) !== null) anchored++
    } else if (node.tag === 'dd') {
      definitions++
      length += textOf(tree, i, Math.min(node.end, i + MOST_NODES), MOST_LENGTH).length
    }
  }
  return terms > 0 && definitions > 0 && (2 * anchored >= terms || length >= SECTION * definitions)
}

/** In a list item or a cell, or in a definition that is not a section. */
function isIndented(tree: HtmlTree, list: HtmlNode): boolean {
  for (let at = list.parent; at >= 0; at = tree[at]?.parent ?? -1) if (INDENTED.has(tree[at]?.tag ?? '')) return true
  return false
}

/** Fragment that leads to the term at `index`: its own id, or that of an anchor in it. */
export function termAnchor(tree: HtmlTree, index: number): string | null {
  const term = tree[index]
  if (term === undefined) return null
  const own = attribute(term, 'id')
  if (own !== '') return own
  for (let i = index + 1; i < term.end; i++) {
    const node = tree[i]
    const id = node?.tag === 'a' ? attribute(node, 'id') || attribute(node, 'name') : ''
    if (id !== '') return id
  }
  return null
}

/** Some write several terms into one, a line each. */
function linesOf(tree: HtmlTree, index: number, end: number): string[] {
  const lines: string[] = []
  let from = index + 1
  for (let i = from; i <= end; i++) {
    if (i < end && tree[i]?.tag !== 'br') continue
    const text = oneLine(textOf(tree, from, i)).replace(/,$/, '')
    if (text !== '') lines.push(text)
    from = i + 1
  }
  return lines
}

/** The terms that share a definition with the one at `index` and come after it, itself first, and where they end. */
export function sharedTerms(tree: HtmlTree, index: number): { text: string; anchor: string | null; end: number } {
  const first = tree[index]
  const texts: string[] = []
  let anchor: string | null = null
  let end = first?.end ?? index + 1
  for (let i = index; i < tree.length; i = tree[i]?.end ?? tree.length) {
    const node = tree[i]
    if (node === undefined || node.parent !== first?.parent) break
    if (node.tag === '') continue
    if (node.tag !== 'dt') break
    texts.push(...linesOf(tree, i, node.end))
    anchor ??= termAnchor(tree, i)
    end = node.end
  }
  return { text: texts.join(', '), anchor, end }
}
