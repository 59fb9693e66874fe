import { oneLine } from '#lib/text/one-line.ts'
import { termAnchor } from './anchors.ts'
import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'

/** Minimum average length of definitions that count as sections, in characters. Their terms become headings. */
const SECTION = 300
/**
 * Upper bounds for the inspected part of a definition: more text changes nothing, and lists can be nested very deeply.
 */
const MOST_LENGTH = 3_000
const MOST_NODES = 2_000
/** A longer term is prose. */
const MAX_TERM = 300
/** Field lists of a signature, footnotes and document metadata look like definitions but are not. */
const OTHER = /(?:^|\s)(?:field-list|docinfo|footnote|citation|option-list|toc|index)(?:\s|$)/
/** Elements that a heading at the left margin would split. */
const INDENTED = new Set(['li', 'td', 'th', 'blockquote'])

/** Returns true if the terms of a definition list are headings. Caches its results. */
export type NamedDefinitions = (list: number) => boolean

/**
 * Detects definition lists with terms as headings. Either the terms have anchors (DocBook settings, glossaries), or they
 * are questions, or the definitions are as long as sections (options in manual pages).
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
  let questions = 0
  for (let i = index + 1; i < list.end; i = tree[i]?.end ?? list.end) {
    const node = tree[i]
    if (node === undefined || node.dropped) continue
    if (node.tag === 'dt') {
      const term = oneLine(textOf(tree, i, node.end, MAX_TERM + 1))
      if (term.length > MAX_TERM) return false
      terms++
      if (isQuestion(term)) questions++
      if (termAnchor(tree, i) !== null) anchored++
    } else if (node.tag === 'dd') {
      definitions++
      length += textOf(tree, i, Math.min(node.end, i + MOST_NODES), MOST_LENGTH).length
    }
  }
  if (terms === 0 || definitions === 0) return false
  return 2 * anchored >= terms || 2 * questions >= terms || length >= SECTION * definitions
}

/** Returns true for an element inside a list item, a cell or a quote. */
export function isIndented(tree: HtmlTree, list: Pick<HtmlNode, 'parent'>): boolean {
  for (let at = list.parent; at >= 0; at = tree[at]?.parent ?? -1) if (INDENTED.has(tree[at]?.tag ?? '')) return true
  return false
}

/** Splits at line breaks, because some authors write several terms into one, one per line. */
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

/** Returns the terms that share one definition, from the one at `index` on, with the first anchor and the end index. */
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

/** A longer question is prose. */
const MAX_QUESTION = 300
/** Nodes of a question: text and a few inline elements. */
const MOST_QUESTION_NODES = 60
/** Questions below one parent that make it a list of questions. A single one can be an appeal (`Need help?`). */
const LEAST_QUESTIONS = 2

/** Returns true for a text that ends with a question mark. */
export function isQuestion(text: string): boolean {
  return /[?？؟]$/.test(text)
}

/** Returns the question of a `summary`, with the anchor of its `details`. Null for any other summary. */
export function summaryQuestion(
  tree: HtmlTree,
  index: number,
  node: HtmlNode,
): { text: string; anchor: string | null } | null {
  if (node.end - index > MOST_QUESTION_NODES) return null
  for (let i = index + 1; i < node.end; i++) if (/^h[1-6]$/.test(tree[i]?.tag ?? '')) return null
  const text = oneLine(textOf(tree, index + 1, node.end, MAX_QUESTION + 1))
  if (text.length > MAX_QUESTION || !isQuestion(text)) return null
  const details = tree[node.parent]
  return { text, anchor: attribute(node, 'id') || (details && attribute(details, 'id')) || null }
}

/** Returns true if several paragraphs in one parent are questions, by its index. Caches its results. */
export type QuestionLists = (parent: number) => boolean

/** `isBold`: decides whether all of a paragraph is bold. */
export function createQuestionLists(
  tree: HtmlTree,
  isBold: (tree: HtmlTree, index: number, node: HtmlNode) => boolean,
): QuestionLists {
  const known = new Map<number, boolean>()
  return (parent) => {
    let has = known.get(parent)
    if (has === undefined) known.set(parent, (has = countQuestions(tree, parent, isBold) >= LEAST_QUESTIONS))
    return has
  }
}

function countQuestions(
  tree: HtmlTree,
  parent: number,
  isBold: (tree: HtmlTree, index: number, node: HtmlNode) => boolean,
): number {
  const end = tree[parent]?.end ?? tree.length
  let questions = 0
  for (let i = parent + 1; i < end && questions < LEAST_QUESTIONS; i = Math.max(i + 1, tree[i]?.end ?? end)) {
    const node = tree[i]
    if (node?.tag !== 'p' || node.dropped || !isBold(tree, i, node)) continue
    if (isQuestion(oneLine(textOf(tree, i + 1, node.end, MAX_QUESTION + 1)))) questions++
  }
  return questions
}
