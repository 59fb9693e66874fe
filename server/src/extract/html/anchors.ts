import { elementAt } from '#lib/arrays.ts'
import { attribute, closest, findInside, type HtmlNode, type HtmlTree, isBlank, isShownText } from './html-tree.ts'
import { decoded } from '#lib/addresses/page-address.ts'

/** Maximum levels from a heading up to the id of its section. */
const WRAPPERS = 2
/** Maximum number of nodes without text between a section start and its heading. */
const MOST_BEFORE_FIRST = 60
const WRAPPING = new Set(['section', 'div', 'article', 'header', 'a', 'span'])

/** Maximum number of nodes between an empty anchor and its heading. */
const MOST_BEFORE = 6
/** Maximum number of nodes before a block that are searched for anchors. A keyword of HAProxy has ten. */
const MOST_BEFORE_BLOCK = 40
const BEGINNING = new Set(['ul', 'ol', 'li', 'div', 'section'])
/** Sphinx numbers the targets of its index anew with every change. */
const INDEX_TARGET = /^index-\d+$/
/** Targets of an index and of links that skip the navigation. */
const OTHER_TARGET = /^index-\d+$|(?:^|-)skip(?:-|$)/i
/** Elements that begin with the block, and empty elements before it. */
const AROUND = new Set(['dl', 'ul', 'ol', 'li', 'div', 'section', 'p'])
const BETWEEN = new Set(['hr', 'br', 'b', 'strong', 'p', 'span'])

/** Returns the index of the first element with this fragment. Browsers go to that one. */
export type AnchorPlaces = (fragment: string) => number | undefined

/** Reads the places on first use. */
export function createAnchorPlaces(tree: HtmlTree): AnchorPlaces {
  let places: Map<string, number> | null = null
  const readPlaces = () => {
    const found = new Map<string, number>()
    for (const { tag, attribs, index } of tree) {
      const names = [attribs['id'], tag === 'a' ? attribs['name'] : '']
      for (const name of names) if (name && !found.has(name)) found.set(name, index)
    }
    return found
  }
  return (fragment) => (places ??= readPlaces()).get(fragment)
}

/** Returns the fragment of a link target, or null for any other element. Texinfo writes targets as empty spans. */
export function nameOf(node: HtmlNode | undefined): string | null {
  if (node?.tag === 'a') return attribute(node, 'id') || attribute(node, 'name') || null
  const id = node?.tag === 'span' ? attribute(node, 'id') : ''
  return node === undefined || id === '' || OTHER_TARGET.test(id) || !isBlank(node) ? null : id
}

/** Returns the anchors in a block before its text, outermost first, and then the empty ones before it, nearest first. */
export function anchorsOf(block: HtmlNode) {
  const anchors: ReturnType<typeof anchorsBefore> = []
  findInside(block, (node) => {
    const name = nameOf(node)
    if (name !== null) anchors.push({ name, index: node.index })
    return isShownText(node)
  })
  return [...anchors, ...anchorsBefore(block)]
}

function anchorsBefore({ tree, index }: HtmlNode) {
  const anchors: { name: string; index: number }[] = []
  for (let i = index - 1; i > Math.max(0, index - MOST_BEFORE_BLOCK); i--) {
    const node = elementAt(tree, i)
    const isAround = node.end > index
    const name = nameOf(node)
    if (isAround && !AROUND.has(node.tag)) break
    if (name !== null) {
      if (!isBlank(node)) break
      anchors.push({ name, index: i })
    } else if (isAround || node.dropped || node.parent?.dropped) continue
    else if (node.tag === '' ? isShownText(node) : !BETWEEN.has(node.tag)) break
  }
  return anchors
}

/** Returns the first of the fragments around one place that leads there, and not to an earlier part of the page. */
export function fragmentOf(anchors: ReturnType<typeof anchorsOf>, placeOf: AnchorPlaces): string | null {
  const start = Math.min(...anchors.map(({ index }) => index))
  return (anchors.find(({ name }) => (placeOf(name) ?? 0) >= start) ?? anchors[0])?.name ?? null
}

/** Returns the fragment for a term: its id, the id of an element in it, or that of an empty anchor directly before it. */
export function termAnchor(term: HtmlNode): string | null {
  const isNamed = (node: HtmlNode) => idOf(node) !== '' && !INDEX_TARGET.test(idOf(node))
  const named = idOf(term) === '' ? findInside(term, isNamed) : term
  return named === undefined ? (anchorsBefore(term)[0]?.name ?? null) : idOf(named)
}

function idOf(node: HtmlNode): string {
  return attribute(node, 'id') || (nameOf(node) ?? '')
}

/**
 * Returns the fragment for a heading. Uses the first of: its id; the id of an anchor inside it, or the target of its
 * permalink; the id of a wrapper that starts with it (Sphinx, Javadoc); the id of an empty anchor directly before it
 * (plain HTML).
 */
export function headingAnchor(heading: HtmlNode): string | null {
  const own = attribute(heading, 'id')
  if (own !== '') return own
  const inside = findInside(heading, (node) => linkFragment(node) !== '')
  return inside === undefined ? (wrapperAnchor(heading) ?? precedingAnchor(heading)) : linkFragment(inside)
}

function linkFragment(node: HtmlNode): string {
  // A back reference leads to the table of contents.
  if ((node.tag !== 'a' && node.tag !== 'span') || node.classes.has('toc-backref')) return ''
  const href = attribute(node, 'href')
  return attribute(node, 'id') || attribute(node, 'name') || (href.startsWith('#') ? decoded(href.slice(1)) : '')
}

/** Ids of page-wide wrappers. The page title needs no fragment. */
const LANDMARK = /^(?:main|main-?content|content|page|body|root|app|article)$/i

function wrapperAnchor(heading: HtmlNode): string | null {
  let child = titlePage(heading) ?? heading
  for (let level = 0; level < WRAPPERS; level++) {
    const wrapper = child.parent
    if (wrapper === null || !WRAPPING.has(wrapper.tag) || !isFirst(wrapper, child)) return null
    const id = attribute(wrapper, 'id')
    if (id !== '') return heading.tag === 'h1' && LANDMARK.test(id) ? null : id
    child = wrapper
  }
  return null
}

/** DocBook wraps a section title in several boxes before the section itself. */
function titlePage({ parent }: HtmlNode): HtmlNode | null {
  const box = closest(parent, ({ tag, classes }) => tag !== 'div' || classes.has('titlepage'))
  return box?.tag === 'div' ? box : null
}

function isFirst({ tree, index }: HtmlNode, child: HtmlNode): boolean {
  if (child.index - index > MOST_BEFORE_FIRST) return false
  for (let i = index + 1; i < child.index; i = elementAt(tree, i).end) if (!isBlank(elementAt(tree, i))) return false
  return true
}

function precedingAnchor({ tree, index }: HtmlNode): string | null {
  for (let i = index - 1; i > Math.max(0, index - MOST_BEFORE); i--) {
    const node = elementAt(tree, i)
    // Skip a list or an item that starts with the heading, as in old Javadoc.
    if ((node.end > index && BEGINNING.has(node.tag)) || (node.tag === '' && !isShownText(node))) continue
    return nameOf(node)
  }
  return null
}
