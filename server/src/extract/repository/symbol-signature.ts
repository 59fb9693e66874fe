import type { Node } from 'web-tree-sitter'

/**
 * Maximum number of lines. Longer declarations are tables of values or whole programs, and start with the relevant
 * part.
 */
const MAX_LINES = 60
const MAX_LENGTH = 4_000

/** Returns the declaration from `from` on, without its body, at the left margin. */
export function signatureOf(node: Node, from: Node, whole: boolean): string {
  const { text } = from
  const bodyAt = whole ? bodyOfValue(node) : bodyStart(node)
  const end = bodyAt ?? node.endIndex
  // The opening of the body is not part of the signature.
  const cut =
    bodyAt === null
      ? text.slice(0, end - from.startIndex).trimEnd()
      : withoutOpening(text.slice(0, end - from.startIndex))
  const margin = ' '.repeat(from.startPosition.column)
  const lines = cut.split('\n').map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.trimStart()))
  const shown = lines.slice(0, MAX_LINES).join('\n').slice(0, MAX_LENGTH).trimEnd()
  return shown.length < cut.trimEnd().length && (lines.length > MAX_LINES || cut.length > MAX_LENGTH)
    ? `${shown}\n…`
    : shown
}

/** Returns the start of the body, or of a comment before it. */
function bodyStart(node: Node): number | null {
  const body = node.childForFieldName('body')
  if (!body) return null
  const comment = node.namedChildren.find(({ type, startIndex }) => type === 'comment' && startIndex < body.startIndex)
  return comment && node.type !== 'function_definition' ? comment.startIndex : body.startIndex
}

/** In `export const f = (a) => { … }` the value is a function. Its body is not part of the signature. */
function bodyOfValue(node: Node): number | null {
  const value = node.namedChildren.find(({ type }) => type === 'variable_declarator')?.childForFieldName('value')
  return /^(arrow_function|function_expression)$/.test(value?.type ?? '')
    ? (value?.childForFieldName('body')?.startIndex ?? null)
    : null
}

/** Removes trailing braces, colons, arrows and spaces. */
function withoutOpening(text: string): string {
  let end = text.length
  for (;;) {
    if (/[\s{:=]/.test(text[end - 1] ?? '')) end--
    else if (text.endsWith('=>', end)) end -= 2
    else return text.slice(0, end)
  }
}
