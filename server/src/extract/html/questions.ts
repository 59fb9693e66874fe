import { attribute, type HtmlNode, type HtmlTree, textOf } from './html-tree.ts'
import { oneLine } from '#lib/text/one-line.ts'

/** A longer question is prose. */
const MAX_LENGTH = 300
/** Nodes of a question: text and a few inline elements. */
const MOST_NODES = 60
/** Questions below one parent that make it a list of questions. A single one can be an appeal (`Need help?`). */
const LEAST = 2

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
  if (node.end - index > MOST_NODES) return null
  for (let i = index + 1; i < node.end; i++) if (/^h[1-6]$/.test(tree[i]?.tag ?? '')) return null
  const text = oneLine(textOf(tree, index + 1, node.end, MAX_LENGTH + 1))
  if (text.length > MAX_LENGTH || !isQuestion(text)) return null
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
    if (has === undefined) known.set(parent, (has = countQuestions(tree, parent, isBold) >= LEAST))
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
  for (let i = parent + 1; i < end && questions < LEAST; i = Math.max(i + 1, tree[i]?.end ?? end)) {
    const node = tree[i]
    if (node?.tag !== 'p' || node.dropped || !isBold(tree, i, node)) continue
    if (isQuestion(oneLine(textOf(tree, i + 1, node.end, MAX_LENGTH + 1)))) questions++
  }
  return questions
}
