import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'

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
