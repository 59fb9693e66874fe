import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'

/**
 * What generators of API references put beside the text of a member: traits of its result and where its source is
 * (rustdoc), which of several it is, what a name in an example links to, and members of base classes (Doxygen), and
 * their names alone (Javadoc).
 */
const NAMES = /(?:^|\s)(?:notable-traits|rightside|overload|ttc|sub-logo-container|inherited-list)(?:\s|$)/
/** A row of a member that a base class has, hidden until it is asked for. */
const INHERITED = /(?:^|\s)inherit(?:\s|$)/
/** What rustdoc says of every type alike: its automatic traits, and those that all types have. */
const OF_EVERY_TYPE = /^(?:blanket|synthetic)-implementations(?:-list)?$/
/** Where older releases of Javadoc begin the names of what a class inherits. */
const INHERITED_NAMES = /^(?:methods|fields|nested[._]classes)[._]inherited[._]from/
/** A shorter text below a method of a trait is the first sentence of what the trait says of it. */
const SUMMARY = 300

/** Whether an element of an API reference says what its own page, or another one, says already. */
export function isReferenceNoise(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  const names = attribute(node, 'class')
  if (names !== '' && (NAMES.test(names) || (node.tag === 'tr' && INHERITED.test(names)))) return true
  if (node.tag === 'a') return isMore(tree, index, node)
  if (OF_EVERY_TYPE.test(attribute(node, 'id'))) return true
  if (node.tag === 'li') return beginsInherited(tree, index, node)
  if (node.tag === 'details') return /\bmethod-toggle\b/.test(names) && isTraitSummary(tree, index, node)
  return node.tag === 'section' && isTraitMethod(node) && tree[node.parent]?.tag !== 'summary'
}

/** `More...`, which leads from a summary to the text further down. */
function isMore(tree: HtmlTree, index: number, node: HtmlNode): boolean {
  if (!attribute(node, 'href').includes('#') || node.end > index + 4) return false
  return /^\s*More(?:\.{3}|…)\s*$/.test(textOf(tree, index, node.end))
}

/** A method that a type has from a trait, with what the trait says of it in a sentence: not one of the type's own. */
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
  // A signature may have a block of that name in it as well, which makes it longer and keeps it at worst.
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
