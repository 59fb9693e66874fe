import { oneLine } from '#lib/text/one-line.ts'
import { type AnchorPlaces, anchorsBefore, anchorsIn, fragmentOf, nameOf } from './anchors.ts'
import { BLOCK_TAGS, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { isIndented, isQuestion, type QuestionLists } from './named-definitions.ts'

/** A longer paragraph is bold prose. */
const MAX_LENGTH = 300
/** A longer text beside a name is prose, not its arguments. */
const MAX_ARGUMENTS = 100
const MOST_NODES = 200
/** Nodes before the name in a table of a directive. */
const MOST_TO_NAME = 40
/** A shorter name is a footnote mark or the number of a list. */
const LEAST_NAME = 2
const TABLE_TAGS = new Set(['table', 'thead', 'tbody', 'tr', 'th', 'td'])
const EMPHASIS = new Set(['b', 'strong', 'i', 'em', 'code', 'tt', 'var', 'u', 'br', 'a', 'span', 'big', 'font'])
/** Elements that mark a name. */
const NAMING = new Set(['b', 'strong', 'code', 'tt', 'kbd', 'dfn', 'samp'])
const HAS_TEXT = /[\p{L}\p{N}]/u

/** A block that begins a section: its heading, and the index after the nodes that the heading consumes. */
export type NamedBlock = { text: string; anchor: string | null; end: number }

/**
 * Recognises a block that names the text after it, as handwritten references and large generated ones mark their entries.
 * Either a bold paragraph with an anchor, or in a list of questions (`<a name="q1"></a><p><b>How do I …</b></p>`). Or a
 * block with an anchor that repeats its emphasised first words (`<a name="bind"></a><div><b>bind</b> [address]</div>`).
 * Returns null for any other block.
 */
export function namedBlock(
  { tree, placeOf, isQuestionList }: { tree: HtmlTree; placeOf: AnchorPlaces; isQuestionList: QuestionLists },
  index: number,
  node: HtmlNode,
): NamedBlock | null {
  const isParagraph = node.tag === 'p'
  if (!isParagraph && node.tag !== 'div' && node.tag !== 'table') return null
  if (isParagraph && isBold(tree, index, node)) return boldParagraph(tree, index, { node, placeOf, isQuestionList })
  if (!mayHaveAnchor(tree, index) || isIndented(tree, node)) return null
  const anchors = [...anchorsIn(tree, index, node.end), ...anchorsBefore(tree, index)]
  if (anchors.length === 0) return null
  const lead = leadOf(tree, index, { node, names: new Set(anchors.map(({ name }) => comparable(name))) })
  if (lead === null) return null
  const anchor = fragmentOf(anchors, placeOf)
  const whole =
    lead.isFirst && isInline(tree, index, node) ? oneLine(textOf(tree, index + 1, node.end, MAX_LENGTH)) : ''
  if (whole !== '' && isArguments(whole.slice(lead.text.length))) return { text: whole, anchor, end: node.end }
  return { text: lead.text, anchor, end: lead.isFirst ? lead.end : index }
}

type Lead = { text: string; end: number; isFirst: boolean }

/**
 * Returns the emphasised text that the anchors of a block repeat, with the index after it. It is the first text
 * (`isFirst`), or within a table.
 */
function leadOf(
  tree: HtmlTree,
  index: number,
  { node: { end }, names }: { node: HtmlNode; names: ReadonlySet<string> },
): Lead | null {
  let isFirst = true
  let inTable = tree[index]?.tag === 'table'
  for (let i = index + 1; i < Math.min(end, index + MOST_TO_NAME); i++) {
    const node = tree[i]
    if (node === undefined || (BLOCK_TAGS.has(node.tag) && !TABLE_TAGS.has(node.tag))) return null
    inTable ||= node.tag === 'table'
    if (node.tag === '' && node.text.trim() !== '') {
      if (!inTable) return null
      isFirst = false
    }
    if (!NAMING.has(node.tag) || node.dropped) continue
    const text = oneLine(textOf(tree, i, node.end, MAX_LENGTH))
    const name = comparable(text)
    if (name.length >= LEAST_NAME && names.has(name)) {
      return { text, end: outermost(tree, i, index), isFirst: isFirst && !inTable }
    }
  }
  return null
}

/** Returns the end of the outermost inline element around the node that ends with it. */
function outermost(tree: HtmlTree, index: number, block: number): number {
  let end = tree[index]?.end ?? index + 1
  for (let at = tree[index]?.parent ?? -1; at > block; at = tree[at]?.parent ?? -1) {
    const node = tree[at]
    if (node === undefined || !EMPHASIS.has(node.tag) || textOf(tree, end, node.end).trim() !== '') break
    end = node.end
  }
  return end
}

function isInline(tree: HtmlTree, index: number, { end }: HtmlNode): boolean {
  if (end - index > MOST_NODES) return false
  for (let i = index + 1; i < end; i++) if (BLOCK_TAGS.has(tree[i]?.tag ?? '')) return false
  return true
}

/** Returns true for the arguments of a keyword or nothing, and false for a sentence. */
function isArguments(rest: string): boolean {
  return (
    rest.trim() === '' || (rest.length <= MAX_ARGUMENTS && /^\s?[[<({=.]/.test(rest) && !/[.:;](?:\s|$)/.test(rest))
  )
}

function boldParagraph(
  tree: HtmlTree,
  index: number,
  { node, placeOf, isQuestionList }: { node: HtmlNode; placeOf: AnchorPlaces; isQuestionList: QuestionLists },
): NamedBlock | null {
  const text = oneLine(textOf(tree, index + 1, node.end, MAX_LENGTH + 1))
  if (text.length > MAX_LENGTH || !HAS_TEXT.test(text)) return null
  const anchors = [...anchorsIn(tree, index, node.end), ...anchorsBefore(tree, index)]
  const isNamed = anchors.length > 0 || (isQuestion(text) && isQuestionList(node.parent))
  return isNamed ? { text, anchor: fragmentOf(anchors, placeOf), end: node.end } : null
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

/** Returns true if the node before the block, or one of its first nodes, is a link target. */
function mayHaveAnchor(tree: HtmlTree, index: number): boolean {
  for (let i = index + 1; i < index + 4; i++) if (nameOf(tree[i]) !== null) return true
  const before = tree[index - 1]?.tag === '' && tree[index - 1]?.text.trim() === '' ? index - 2 : index - 1
  return nameOf(tree[before]) !== null || tree[before]?.tag === 'p'
}

/** Keeps letters, digits and signs of names. `4.2-option httplog` and `option httplog` differ. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
