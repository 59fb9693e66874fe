import type { Node } from 'web-tree-sitter'

/** Maximum length of a comment, in characters. Longer ones are licences or ASCII drawings. */
const MAX_LENGTH = 20_000

/** Converts the comments above a declaration, or a Python docstring, to Markdown. */
export function docText(comments: readonly Node[], body: Node | null): string {
  const docstring = body ? docstringOf(body) : null
  const raw = docstring ?? comments.map(({ text }) => text.trimEnd()).join('\n')
  return raw.length > MAX_LENGTH ? '' : tidy(docstring === null ? withoutMarks(raw) : dedent(raw))
}

/** Returns the first comment of a file, unless it is about the licence or for tools. */
export function fileDocText(root: Node): string {
  const docstring = docstringOf(root)
  if (docstring !== null) return tidy(dedent(docstring.slice(0, MAX_LENGTH)))
  const lines: Node[] = []
  for (const node of root.namedChildren.filter(({ type }) => type !== 'php_tag')) {
    const last = lines.at(-1)
    if (!node.type.endsWith('comment') || (last && !isAdjacent(last, node))) break
    lines.push(node)
  }
  const end = lines.at(-1)
  const next = end?.nextNamedSibling
  // A comment directly above a declaration belongs to that, unless its mark says that it belongs to the file.
  const isOwn = /^(\/\/!|\/\*!)/.test(lines[0]?.text ?? '')
  if (!isOwn && end && next && isAdjacent(end, next) && !/^(package|import|use|#include)/.test(next.text)) return ''
  const raw = lines.map((line) => line.text.trimEnd()).join('\n')
  const text = withoutMarks(raw.slice(0, MAX_LENGTH))
  return /copyright|licen[cs]e|SPDX|eslint|@generated|coding[:=]|frozen_string_literal|^!/i.test(text) ? '' : tidy(text)
}

function docstringOf(body: Node): string | null {
  const first =
    body.type === 'block' || body.type === 'module' ? body.namedChildren.find(({ type }) => type !== 'comment') : null
  const string = first?.type === 'expression_statement' ? first.firstNamedChild : first
  const text = string?.type === 'string' ? string.text : ''
  return /^[rRuU]{0,2}("""|'''|"|')([\s\S]*)\1$/.exec(text)?.[2] ?? null
}

/** Removes comment marks (`/** … *\/`, `///`, `//!`, `//`, `#`) and stars at the margin, and dedents the text. */
function withoutMarks(text: string): string {
  const lines = text
    .replace(/(?<!\*)\*+\/[ \t]*$/gm, '')
    .split('\n')
    .map((line) => line.replace(/^[ \t]*(\/\*+!?|\/{2,}!?|#+(?!\w)|\*(?!\*\S)(?=\s|$))/, ''))
  return dedent(lines.join('\n'))
}

function dedent(text: string): string {
  const lines = text.split('\n')
  const others = lines.slice(1).filter((line) => line.trim())
  const margin = others.reduce((least, line) => Math.min(least, /^[ \t]*/.exec(line)?.[0].length ?? 0), MAX_LENGTH)
  return lines
    .map((line, index) => (index === 0 ? line.trim() : line.slice(margin).trimEnd()))
    .join('\n')
    .trim()
}

/** Converts tags of JSDoc and C# to lists and words, and headings to bold: symbols are the headings of the page. */
function tidy(text: string): string {
  return text
    .replace(/^<\/?(summary|remarks|returns|value|para|list|item|inheritdoc)\b[^<>]*>\s*$/gm, '')
    .replace(/<param name="([^"\n]{1,100})">/g, '- `$1`: ')
    .replace(
      /<(?:see|seealso|paramref|typeparamref)\b[^<>]*?(?:cref|name|langword)="(?:[A-Z]:)?([^"\n]{1,200})"\s*\/>/g,
      '`$1`',
    )
    .replace(/<\/?(summary|remarks|returns|value|para|param|c|code|example|exception|typeparam)\b[^<>\n]*>/g, '')
    .replace(/\{@(?:link|code|linkplain)\s+([^\s{}][^{}\n]{0,199})\}/g, '`$1`')
    .replace(
      /^[ \t]*@(?:param|arg|argument)\s+(?:\{[^}\n]{0,200}\}\s*|[\w\\|?<>[\]]{1,100}\s+(?=\$))?(\[?[\w$.]+[^\s]*)\s*-?[ \t]*/gm,
      '- `$1`: ',
    )
    .replace(/^[ \t]*@(returns?|throws|raises|deprecated|since|see|default)\b[ \t]*/gm, '- $1: ')
    .replace(/^[ \t]*@example\b[ \t]*/gm, 'Example:\n')
    .replace(/^#{1,6}[ \t]+(.+)/gm, '**$1**')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** True if no blank line separates a comment, which may include its line end, from the next node. */
export function isAdjacent(before: Node, node: Node): boolean {
  const { row, column } = before.endPosition
  return node.startPosition.row - (column === 0 ? row - 1 : row) <= 1
}
