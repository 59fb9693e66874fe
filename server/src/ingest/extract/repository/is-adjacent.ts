import type { Node } from 'web-tree-sitter'

/** Whether no blank line is between a comment and what follows. In some grammars a comment takes in its line's end. */
export function isAdjacent(before: Node, node: Node): boolean {
  const { row, column } = before.endPosition
  return node.startPosition.row - (column === 0 ? row - 1 : row) <= 1
}
