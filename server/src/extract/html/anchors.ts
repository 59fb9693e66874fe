import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'

/** Maximum levels from a heading up to the id of its section. */
const WRAPPERS = 2
/** Maximum number of nodes without text between a section start and its heading. */
const MOST_BEFORE_FIRST = 60
const TITLE_WRAPPERS = 4
const WRAPPING = new Set(['section', 'div', 'article', 'header', 'a', 'span'])

/** Maximum number of nodes between an empty anchor and its heading. */
const MOST_BEFORE = 6
/** Maximum number of nodes before a block that are searched for anchors. A keyword of HAProxy has ten. */
const MOST_BEFORE_BLOCK = 40
const BEGINNING = new Set(['ul', 'ol', 'li', 'div', 'section'])
/** Sphinx numbers the targets of its index anew with every change. */
const INDEX_TARGET = /^index-\d+$/
/** Elements that begin with the block, and empty elements before it. */
const AROUND = new Set(['dl', 'ul', 'ol', 'li', 'div', 'section', 'p'])
const BETWEEN = new Set(['hr', 'br', 'b', 'strong', 'p', 'span'])

/** Returns the index of the first element with this fragment. Browsers go to that one. */
export type AnchorPlaces = (fragment: string) => number | undefined

/** Reads the places on first use. */
export function createAnchorPlaces(tree: HtmlTree): AnchorPlaces {
  let places: Map<string, number> | null = null
  return (fragment) => (places ??= readPlaces(tree)).get(fragment)
}

function readPlaces(tree: HtmlTree): Map<string, number> {
  const places = new Map<string, number>()
  for (let index = 0; index < tree.length; index++) {
    const node = tree[index]
    if (node === undefined) break
    for (const name of [attribute(node, 'id'), node.tag === 'a' ? attribute(node, 'name') : ''])
      if (name !== '' && !places.has(name)) places.set(name, index)
  }
  return places
}

/** Returns the fragment of a link target, or null for any other element. */
export function nameOf(node: HtmlNode | undefined): string | null {
  return node?.tag === 'a' ? attribute(node, 'id') || attribute(node, 'name') || null : null
}

/** A link target with its index. */
export type Anchor = { name: string; index: number }

/** Returns the empty anchors directly before a block, nearest first. */
export function anchorsBefore(tree: HtmlTree, index: number): Anchor[] {
  const anchors: Anchor[] = []
  for (let i = index - 1; i >= 0 && i > index - MOST_BEFORE_BLOCK; i--) {
    const node = tree[i]
    if (node === undefined || (node.end > index && !AROUND.has(node.tag))) break
    const name = nameOf(node)
    if (name !== null && (node.dropped || textOf(tree, i, node.end).trim() === '')) anchors.push({ name, index: i })
    else if (name !== null) break
    else if (isHidden(tree, i) || node.end > index) continue
    else if (node.tag === '' ? node.text.trim() !== '' : !BETWEEN.has(node.tag)) break
  }
  return anchors
}

/** Returns the anchors in a block before its text, outermost first. */
export function anchorsIn(tree: HtmlTree, index: number, end: number): Anchor[] {
  const anchors: Anchor[] = []
  for (let i = index + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || (node.tag === '' && node.text.trim() !== '')) break
    const name = nameOf(node)
    if (name !== null) anchors.push({ name, index: i })
  }
  return anchors
}

/** Returns the first of the fragments around one place that leads there, and not to an earlier part of the page. */
export function fragmentOf(anchors: readonly Anchor[], placeOf: AnchorPlaces): string | null {
  const start = Math.min(...anchors.map(({ index }) => index))
  return (anchors.find(({ name }) => (placeOf(name) ?? 0) >= start) ?? anchors[0])?.name ?? null
}

/** Returns true if the node or its parent was dropped. */
function isHidden(tree: HtmlTree, index: number): boolean {
  return tree[index]?.dropped === true || tree[tree[index]?.parent ?? -1]?.dropped === true
}

/**
 * Returns the fragment for the term at `index`: its id, the id of an element in it, or that of an empty anchor directly
 * before it.
 */
export function termAnchor(tree: HtmlTree, index: number): string | null {
  const term = tree[index]
  if (term === undefined) return null
  for (let i = index; i < term.end; i++) {
    const node = tree[i]
    const id = (node && attribute(node, 'id')) || nameOf(node)
    if (id && (i === index || !INDEX_TARGET.test(id))) return id
  }
  return anchorsBefore(tree, index)[0]?.name ?? null
}

/**
 * Returns the fragment for the heading at `index`. Uses the first of: its id; the id of an anchor inside it, or the
 * target of its permalink; the id of a wrapper that starts with it (Sphinx, Javadoc); the id of an empty anchor
 * directly before it (plain HTML).
 */
export function headingAnchor(tree: HtmlTree, index: number): string | null {
  const heading = tree[index]
  if (heading === undefined) return null
  const own = attribute(heading, 'id')
  if (own !== '') return own
  for (let i = index + 1; i < heading.end; i++) {
    const node = tree[i]
    if (node === undefined || (node.tag !== 'a' && node.tag !== 'span')) continue
    // This link leads back to the table of contents.
    if (/\btoc-backref\b/.test(attribute(node, 'class'))) continue
    const id = attribute(node, 'id') || attribute(node, 'name')
    if (id !== '') return id
    const href = attribute(node, 'href')
    if (node.tag === 'a' && href.startsWith('#') && href.length > 1) return decodeFragment(href.slice(1))
  }
  return wrapperAnchor(tree, index) ?? precedingAnchor(tree, index)
}

/** Ids of page-wide wrappers. The page title needs no fragment. */
const LANDMARK = /^(?:main|main-?content|content|page|body|root|app|article)$/i

function wrapperAnchor(tree: HtmlTree, index: number): string | null {
  let child = titlePage(tree, index) ?? index
  for (let level = 0; level < WRAPPERS; level++) {
    const parent = tree[child]?.parent ?? -1
    const wrapper = tree[parent]
    if (wrapper === undefined || !WRAPPING.has(wrapper.tag) || !isFirst(tree, parent, child)) return null
    const id = attribute(wrapper, 'id')
    if (id !== '') return tree[index]?.tag === 'h1' && LANDMARK.test(id) ? null : id
    child = parent
  }
  return null
}

/** DocBook wraps a section title in several boxes before the section itself. */
function titlePage(tree: HtmlTree, index: number): number | null {
  let at = tree[index]?.parent ?? -1
  for (let level = 0; level < TITLE_WRAPPERS; level++) {
    const node = tree[at]
    if (node?.tag !== 'div') return null
    if (/(?:^|\s)titlepage(?:\s|$)/.test(attribute(node, 'class'))) return at
    at = node.parent
  }
  return null
}

function isFirst(tree: HtmlTree, parent: number, child: number): boolean {
  if (child - parent > MOST_BEFORE_FIRST) return false
  for (let i = parent + 1; i < child; i++) {
    const node = tree[i]
    if (node === undefined) continue
    if (textOf(tree, i, node.end).trim() !== '') return false
    i = node.end - 1
  }
  return true
}

function precedingAnchor(tree: HtmlTree, index: number): string | null {
  for (let i = index - 1; i >= 0 && i > index - MOST_BEFORE; i--) {
    const node = tree[i]
    // Skip a list or an item that starts with the heading, as in old Javadoc.
    if (node !== undefined && node.end > index && BEGINNING.has(node.tag)) continue
    if (node === undefined || (node.tag === '' && node.text.trim() !== '')) return null
    if (node.tag === 'a') return attribute(node, 'id') || attribute(node, 'name') || null
    if (node.tag !== '') return null
  }
  return null
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // A stray percent sign: browsers use the raw fragment.
    return fragment
  }
}
