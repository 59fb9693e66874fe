import { elementAt } from '#lib/element-at.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf, type TextWeight } from './html-tree.ts'
import { createAnchorPlaces } from './anchors.ts'

/**
 * Noise beside the text of a member in API references. rustdoc: traits of its result and links to its source. Doxygen:
 * overload numbers, link targets in examples, and members of base classes. Javadoc: names of inherited members.
 */
const NAMES = /(?:^|\s)(?:notable-traits|rightside|overload|ttc|sub-logo-container|inherited-list)(?:\s|$)/
/** Row of a member from a base class, hidden until opened. */
const INHERITED = /(?:^|\s)inherit(?:\s|$)/
/** Parts that rustdoc repeats for every type: its automatic and blanket implementations. */
const OF_EVERY_TYPE = /^(?:blanket|synthetic)-implementations(?:-list)?$/
/** Anchors of the inherited names in older Javadoc releases. */
const INHERITED_NAMES = /^(?:methods|fields|nested[._]classes)[._]inherited[._]from/
/** A shorter text below a trait method is only the first sentence of the trait's documentation. */
const SUMMARY = 300

/** Returns true if the element repeats text from elsewhere on its page or from another page. */
export function isReferenceNoise(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  if (names !== '' && (NAMES.test(names) || (node.tag === 'tr' && INHERITED.test(names)))) return true
  if (node.tag === 'a') return isMore(tree, index, node)
  if (OF_EVERY_TYPE.test(attribute(node, 'id'))) return true
  if (node.tag === 'li') return beginsInherited(tree, index, node)
  if (node.tag === 'details') return /\bmethod-toggle\b/.test(names) && isTraitSummary(tree, index, node)
  return node.tag === 'section' && isTraitMethod(node) && tree[node.parent]?.tag !== 'summary'
}

/** Returns true for `More...`, the link from a summary to the full text below. */
function isMore(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  if (!attribute(node, 'href').includes('#') || node.end > index + 4) return false
  return /^\s*More(?:\.{3}|…)\s*$/.test(textOf(tree, index, node.end))
}

/** Returns true for a trait method with only the trait's summary, not documentation of the type itself. */
function isTraitSummary(tree: HtmlTree, index: number, details: HtmlNode): boolean {
  let isOfTrait = false
  let body = -1
  for (let i = index + 1; i < details.end; i++) {
    const node = tree[i]
    if (node === undefined) break
    if (node.tag === 'section' && isTraitMethod(node)) isOfTrait = true
    if (node.tag === 'pre') return false
    if (body < 0 && /\bdocblock\b/.test(attribute(node, 'class')) && isOfTrait) body = i
  }
  // A signature can also contain a block of that name. That lengthens the text and at worst keeps it.
  return isOfTrait && (body < 0 || textOf(tree, body, details.end).length < SUMMARY)
}

function beginsInherited(tree: HtmlTree, index: number, item: HtmlNode): boolean {
  for (let i = index + 1; i < Math.min(item.end, index + 4); i++) {
    const node = tree[i]
    if (node !== undefined && node.tag !== '')
      return node.tag === 'a' && INHERITED_NAMES.test(attribute(node, 'id') || attribute(node, 'name'))
  }
  return false
}

function isTraitMethod(node: HtmlNode): boolean {
  return /\btrait-impl\b/.test(attribute(node, 'class'))
}

const NOISE_LINES = new Set([
  'copy',
  'copied',
  'copied!',
  'copy code',
  // Title that some renderers of VitePress Markdown give to a group of tabs.
  'code-group',
  'copy page',
  'copy link',
  'copy to clipboard',
  'copy as markdown',
  'on this page',
  'in this article',
  'table of contents',
  'contents',
  'skip to content',
  'skip to main content',
  'edit this page',
  'edit this page on github',
  'edit on github',
  'view source',
  'back to top',
  'return to top',
  'was this page helpful?',
  'was this helpful?',
  'advertisement',
  'advertising',
  'loading...',
  'loading…',
  'previous',
  'next',
  'previous page',
  'next page',
  'share',
  'print',
  'tweet',
  'yes no',
])

/** Doxygen's references to source locations. */
const DEFINED_AT =
  /^Definition at line \S+ of file \S+$|^The documentation for this \w+ was generated from the following files?:$/

/** Returns true if the line is a label of the user interface between the text. */
export function isNoiseLine(line: string): boolean {
  if (line.startsWith('Definition at ') || line.startsWith('The documentation for ')) return DEFINED_AT.test(line)
  return (
    line.length <= 30 &&
    NOISE_LINES.has(line.toLowerCase().replace(/^[\s#*[\]¶►▶▸▼▾-]+|(?<![\s#*[\]¶-])[\s#*[\]¶-]+$/g, ''))
  )
}

const LISTS = new Set(['ul', 'ol', 'dl', 'div', 'section'])
/** Minimum share of linked text, and minimum share of links within the page. */
const MIN_SHARE = 0.7
const LEAST_LINKS = 3
/** Upper bound for visited nodes: boxes can be nested very deeply, and a few thousand nodes suffice. */
const MOST_NODES = 5_000

/**
 * Finds unnamed tables of contents: lists at the top of a page that consist mostly of links to later places on it, in
 * order. A list below the second heading is part of the text.
 */
export function createContentsFinder(tree: HtmlTree, weight: TextWeight): (index: number, node: HtmlNode) => boolean {
  const placeOf = createAnchorPlaces(tree)
  return (index, node) => {
    const all = elementAt(weight.all, index)
    if (!LISTS.has(node.tag) || all === 0 || elementAt(weight.linked, index) < MIN_SHARE * all) return false
    let links = 0
    let inOrder = 0
    let before = node.end - 1
    for (let i = index + 1; i < Math.min(node.end, index + MOST_NODES); i++) {
      const href = tree[i]?.tag === 'a' ? (tree[i]?.attribs['href'] ?? '') : ''
      if (href === '') continue
      links++
      if (!href.startsWith('#')) continue
      const place = placeOf(href.slice(1)) ?? -1
      if (place < before) continue
      inOrder++
      before = place
    }
    return inOrder >= LEAST_LINKS && inOrder >= MIN_SHARE * links
  }
}
