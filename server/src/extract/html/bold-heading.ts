import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { isQuestion, type QuestionLists } from './questions.ts'

/** Maximum number of nodes between an anchor and its paragraph: rules, breaks and blank text. */
const MOST_BEFORE = 10
/** A longer paragraph is bold prose. */
const MAX_LENGTH = 300
const MOST_NODES = 200
const BETWEEN = new Set(['hr', 'br', 'b', 'strong', 'p'])
const EMPHASIS = new Set(['b', 'strong', 'i', 'em', 'code', 'tt', 'var', 'u', 'br', 'a', 'span', 'big', 'font'])
const HAS_TEXT = /[\p{L}\p{N}]/u

/**
 * Returns the text and the anchor of a bold paragraph behind an anchor or in a list of questions, or null for any other
 * paragraph. Handwritten pages mark their questions and entries this way (`<a name="q1"></a><p><b>How do I …</b></p>`).
 */
export function boldHeading(
  tree: HtmlTree,
  index: number,
  { node, isQuestionList }: { node: HtmlNode; isQuestionList: QuestionLists },
): { text: string; anchor: string | null } | null {
  if (node.tag !== 'p' || !isBold(tree, index, node)) return null
  const anchor = anchorInside(tree, index, node) ?? anchorBefore(tree, index)
  const text = oneLine(textOf(tree, index + 1, node.end, MAX_LENGTH + 1))
  if (text.length > MAX_LENGTH || !HAS_TEXT.test(text)) return null
  return anchor !== null || (isQuestion(text) && isQuestionList(node.parent)) ? { text, anchor } : null
}

/** Returns true if the whole text is emphasised and starts in bold. */
export function isBold(tree: HtmlTree, index: number, { end }: HtmlNode): boolean {
  if (end - index > MOST_NODES) return false
  let first = true
  for (let i = index + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || node.dropped) return false
    if (node.tag !== '') {
      if (!EMPHASIS.has(node.tag)) return false
      continue
    }
    if (node.text.trim() === '') continue
    let bold = false
    let marked = false
    for (let at = node.parent; at > index; at = tree[at]?.parent ?? -1) {
      const tag = tree[at]?.tag ?? ''
      bold ||= tag === 'b' || tag === 'strong'
      marked ||= bold || tag === 'i' || tag === 'em' || tag === 'code' || tag === 'var'
    }
    if (!marked || (first && !bold)) return false
    first = false
  }
  return !first
}

function anchorInside(tree: HtmlTree, index: number, { end }: HtmlNode): string | null {
  for (let i = index + 1; i < end; i++) {
    const node = tree[i]
    if (node === undefined || (node.tag === '' && node.text.trim() !== '')) return null
    const id = anchorOf(node)
    if (id !== null) return id
  }
  return null
}

/** Returns the anchor of an empty element directly before the paragraph. */
function anchorBefore(tree: HtmlTree, index: number): string | null {
  for (let i = index - 1; i >= 0 && i > index - MOST_BEFORE; i--) {
    const node = tree[i]
    if (node === undefined || (node.end > index && node.tag !== 'p')) return null
    const id = anchorOf(node)
    if (id !== null) return textOf(tree, i, node.end).trim() === '' || node.dropped ? id : null
    if (isHidden(tree, i)) continue
    if (node.tag === '' ? node.text.trim() !== '' : !BETWEEN.has(node.tag)) return null
  }
  return null
}

function anchorOf(node: HtmlNode): string | null {
  return node.tag === 'a' ? attribute(node, 'id') || attribute(node, 'name') || null : null
}

/** Returns true if the node or its parent was dropped. */
function isHidden(tree: HtmlTree, index: number): boolean {
  return tree[index]?.dropped === true || tree[tree[index]?.parent ?? -1]?.dropped === true
}
