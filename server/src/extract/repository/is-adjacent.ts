import type { Node } from 'web-tree-sitter'

/**
 * Returns true if no blank line separates a comment from the next node. In some grammars a comment includes its line
 * end.
 */
export function isAdjacent(before: Node, node: Node): boolean {
  const { row, column } = before.endPosition
  return node.startPosition.row - (column === 0 ? row - 1 : row) <= 1
}
