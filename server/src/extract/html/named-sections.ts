import { oneLine } from '#lib/text/one-line.ts'
import { type AnchorPlaces, anchorsOf, fragmentOf, nameOf, termAnchor } from './anchors.ts'
import {
  attribute,
  BLOCK_TAGS,
  childrenOf,
  closest,
  findInside,
  HAS_TEXT,
  hasClass,
  type HtmlNode,
  isHeading,
  isShownText,
  lineOf,
  textBetween,
} from './html-tree.ts'

/** A longer name, term or question is prose. */
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
const BOLD = new Set(['b', 'strong'])
const MARKED = new Set([...BOLD, 'i', 'em', 'code', 'var'])
const NAMING = new Set(['b', 'strong', 'code', 'tt', 'kbd', 'dfn', 'samp'])
/** DocBook's boxes of a table or figure, whose title has an anchor. The text after the box is of the section around it. */
const CAPTIONED = new Set(['table', 'figure'])
const CAPTION = new Set(['title'])
/** A block that begins a section: its heading, and the index after the nodes that the heading consumes. */
export type NamedBlock = { text: string; anchor: string | null; end: number }

type Lists = { placeOf: AnchorPlaces; isQuestionList: (parent: HtmlNode | null) => boolean }

/**
 * Recognises a block that names the text after it, as handwritten references and large generated ones mark their entries.
 * Either a bold paragraph with an anchor, or in a list of questions (`<a name="q1"></a><p><b>How do I …</b></p>`). Or a
 * block with an anchor that repeats its emphasised first words (`<a name="bind"></a><div><b>bind</b> [address]</div>`).
 * Returns null for any other block.
 */
export function namedBlock({ placeOf, isQuestionList }: Lists, block: HtmlNode): NamedBlock | null {
  const { tag, end } = block
  if (tag !== 'p' && tag !== 'div' && tag !== 'table') return null
  const isBoldParagraph = tag === 'p' && isBold(block)
  if (!isBoldParagraph && (!mayHaveAnchor(block) || isIndented(block))) return null
  const anchors = anchorsOf(block)
  const anchor = fragmentOf(anchors, placeOf)
  const whole = lineOf(block, MAX_LENGTH + 1)
  if (isBoldParagraph) {
    if (hasClass(block, CAPTION) && hasClass(block.parent, CAPTIONED)) return null
    const isName = anchors.length > 0 || (isQuestion(whole) && isQuestionList(block.parent))
    return isName && whole.length <= MAX_LENGTH && HAS_TEXT.test(whole) ? { text: whole, anchor, end } : null
  }
  if (anchors.length === 0) return null
  const lead = leadOf(block, new Set(anchors.map(({ name }) => comparable(name))))
  if (lead === null) return null
  const isInline =
    end - block.index <= MOST_NODES && findInside(block, (node) => BLOCK_TAGS.has(node.tag)) === undefined
  if (lead.isFirst && isInline && isArguments(whole.slice(lead.text.length))) return { text: whole, anchor, end }
  return { text: lead.text, anchor, end: lead.isFirst ? lead.end : block.index }
}

/**
 * Returns the emphasised text that the anchors of a block repeat, with the index after it. It is the first text
 * (`isFirst`), or within a table.
 */
function leadOf(block: HtmlNode, names: ReadonlySet<string>) {
  let isFirst = true
  let inTable = block.tag === 'table'
  let text = ''
  const isNameOrOther = (node: HtmlNode) => {
    inTable ||= node.tag === 'table'
    if (isShownText(node)) {
      isFirst = false
      return !inTable
    }
    if (BLOCK_TAGS.has(node.tag)) return !TABLE_TAGS.has(node.tag)
    if (!NAMING.has(node.tag) || node.dropped) return false
    text = lineOf(node, MAX_LENGTH)
    const name = comparable(text)
    return name.length >= LEAST_NAME && names.has(name)
  }
  const found = findInside(block, isNameOrOther, MOST_TO_NAME)
  if (found === undefined || !NAMING.has(found.tag)) return null
  return { text, end: outermost(found, block), isFirst: isFirst && !inTable }
}

/** Returns the end of the outermost inline element around the node that ends with it. */
function outermost(name: HtmlNode, block: HtmlNode): number {
  let { end } = name
  for (let node = name.parent; node !== null && node !== block && EMPHASIS.has(node.tag); node = node.parent) {
    if (textBetween(node.tree, end, node.end).trim() !== '') break
    end = node.end
  }
  return end
}

/** Returns true for the arguments of a keyword or nothing, and false for a sentence. */
function isArguments(rest: string): boolean {
  if (rest.trim() === '') return true
  return rest.length <= MAX_ARGUMENTS && /^\s?[[<({=.]/.test(rest) && !/[.:;](?:\s|$)/.test(rest)
}

/** Returns true if the whole text is emphasised and starts in bold. */
function isBold(block: HtmlNode): boolean {
  if (block.end - block.index > MOST_NODES) return false
  let first = true
  const other = findInside(block, (node) => {
    if (node.dropped) return true
    if (node.tag !== '') return !EMPHASIS.has(node.tag)
    if (!isShownText(node)) return false
    const marks = first ? BOLD : MARKED
    first = false
    return closest(node.parent, (around) => around === block || marks.has(around.tag)) === block
  })
  return !first && other === undefined
}

/** Returns true if the node before the block, or one of its first nodes, is a link target. */
function mayHaveAnchor({ tree, index }: HtmlNode): boolean {
  for (let i = index + 1; i < index + 4; i++) if (nameOf(tree[i]) !== null) return true
  const before = tree[index - 1]
  const last = before?.tag === '' && !isShownText(before) ? tree[index - 2] : before
  return nameOf(last) !== null || last?.tag === 'p'
}

/** Keeps letters, digits and signs of names. `4.2-option httplog` and `option httplog` differ. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** Minimum average length of definitions that count as sections, in characters. Their terms become headings. */
const SECTION = 300
/** Upper bounds for the inspected part of a definition: more text changes nothing, and lists can be nested deeply. */
const MOST_TEXT = 3_000
const MOST_DEFINITION_NODES = 2_000
/** Field lists of a signature, footnotes and document metadata look like definitions but are not. */
const OTHER = new Set(['field-list', 'docinfo', 'footnote', 'citation', 'option-list', 'toc', 'index'])
/** Elements that a heading at the left margin would split. */
const INDENTED = new Set(['li', 'td', 'th', 'blockquote'])

/**
 * Returns true for a definition list with terms as headings. Either the terms have anchors (DocBook settings,
 * glossaries), or they are questions, or the definitions are as long as sections (options in manual pages).
 */
export function namesSections(list: HtmlNode): boolean {
  if (list.tag !== 'dl' || hasClass(list, OTHER) || isIndented(list)) return false
  const { dt: terms = [], dd: definitions = [] } = Object.groupBy(
    childrenOf(list).filter(({ dropped }) => !dropped),
    ({ tag }) => tag,
  )
  if (terms.length === 0 || definitions.length === 0) return false
  const texts = terms.map((term) => lineOf(term, MAX_LENGTH + 1))
  if (texts.some((text) => text.length > MAX_LENGTH)) return false
  if (2 * texts.filter(isQuestion).length >= terms.length) return true
  if (2 * terms.filter((term) => termAnchor(term) !== null).length >= terms.length) return true
  const lengths = definitions.map(
    ({ tree, index, end }) => textBetween(tree, index, Math.min(end, index + MOST_DEFINITION_NODES), MOST_TEXT).length,
  )
  return lengths.reduce((sum, length) => sum + length) >= SECTION * definitions.length
}

export function isIndented({ parent }: HtmlNode): boolean {
  return closest(parent, ({ tag }) => INDENTED.has(tag)) !== null
}

/** Splits at line breaks, because some authors write several terms into one, one per line. */
function linesOf({ tree, index, end }: HtmlNode): string[] {
  const breaks = tree.slice(index, end).flatMap((node) => (node.tag === 'br' ? [node.index] : []))
  const starts = [index, ...breaks]
  const lines = starts.map((start, line) =>
    oneLine(textBetween(tree, start + 1, breaks[line] ?? end)).replace(/,$/, ''),
  )
  return lines.filter((line) => line !== '')
}

/** Returns the terms that share one definition, from `first` on, with the first anchor and the end index. */
export function sharedTerms(first: HtmlNode): NamedBlock {
  const { tree, parent } = first
  const terms = [first]
  for (let node = tree[first.end]; node?.parent === parent; node = tree[node.end]) {
    if (node.tag === 'dt') terms.push(node)
    else if (node.tag !== '') break
  }
  const anchor = terms.map(termAnchor).find((found) => found !== null) ?? null
  return { text: terms.flatMap(linesOf).join(', '), anchor, end: terms.at(-1)?.end ?? first.end }
}

const MOST_QUESTION_NODES = 60
/** Questions below one parent that make it a list of questions. A single one can be an appeal (`Need help?`). */
const LEAST_QUESTIONS = 2

function isQuestion(text: string): boolean {
  return /[?？؟]$/.test(text)
}

/** Returns the question of a `summary`, with the anchor of its `details`. Null for any other summary. */
export function summaryQuestion(summary: HtmlNode): Omit<NamedBlock, 'end'> | null {
  if (summary.end - summary.index > MOST_QUESTION_NODES || findInside(summary, isHeading) !== undefined) return null
  const text = lineOf(summary, MAX_LENGTH + 1)
  if (text.length > MAX_LENGTH || !isQuestion(text)) return null
  return { text, anchor: attribute(summary, 'id') || summary.parent?.attribs['id'] || null }
}

/** Returns true if several paragraphs in one parent are bold questions. */
export function holdsQuestions(parent: HtmlNode): boolean {
  const isAsked = (node: HtmlNode) =>
    node.tag === 'p' && !node.dropped && isBold(node) && isQuestion(lineOf(node, MAX_LENGTH + 1))
  return childrenOf(parent).filter(isAsked).length >= LEAST_QUESTIONS
}
