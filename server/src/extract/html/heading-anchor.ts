import { attribute, type HtmlTree, textOf } from './html-tree.ts'

/** Maximum levels from a heading up to the id of its section. */
const WRAPPERS = 2
/** Maximum number of nodes without text between a section start and its heading. */
const MOST_BEFORE_FIRST = 60
const TITLE_WRAPPERS = 4
const WRAPPING = new Set(['section', 'div', 'article', 'header', 'a', 'span'])

/** Maximum number of nodes between an empty anchor and its heading. */
const MOST_BEFORE = 6
const BEGINNING = new Set(['ul', 'ol', 'li', 'div', 'section'])

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
