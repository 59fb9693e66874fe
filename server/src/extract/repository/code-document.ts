import type { Node } from 'web-tree-sitter'
import { visible } from '../one-line.ts'
import type { CodeLanguage } from './code-languages.ts'
import { fenced } from './fenced.ts'
import { fileDocText } from './doc-text.ts'
import { readSymbols } from './read-symbols.ts'
import type { FileDocument } from './repository-file.ts'

/** A parsed code file. */
type CodeFile = { path: string; root: Node; language: CodeLanguage }

/**
 * Converts a code file to a document: the file comment, then a heading for each public symbol with its signature,
 * comment and line. Returns null if there is no public symbol.
 */
export function codeDocument({ path, root, language }: CodeFile): FileDocument | null {
  const symbols = readSymbols(root, language.rules)
  if (symbols.length === 0) return null
  // Offsets refer to the cleaned text.
  let markdown = visible([`# ${path}`, fileDocText(root)].filter((part) => part !== '').join('\n\n'))
  const lines: { offset: number; line: number }[] = []
  for (const { name, depth, signature, doc, line } of symbols) {
    lines.push({ offset: markdown.length + 2, line })
    const parts = [`${'#'.repeat(depth + 2)} ${name}`, fenced(signature, language.fence), doc]
    markdown += visible(`\n\n${parts.filter((part) => part !== '').join('\n\n')}`)
  }
  return { title: path, markdown, lines }
}
