import type { Tree } from 'web-tree-sitter'
import { decodeText } from '../decode.ts'
import { extractMarkdown } from '../markdown/extract-markdown.ts'
import { asciidocToMarkdown } from './asciidoc-to-markdown.ts'
import { codeDocument } from './code-document.ts'
import { type GrammarName, codeLanguageOf } from './code-languages.ts'
import { fenced } from './fenced.ts'
import { isGenerated, isMinified } from './judge-code.ts'
import { licenceDocument } from './licence-document.ts'
import { mdxToMarkdown } from './mdx-to-markdown.ts'
import { notebookToMarkdown } from './notebook-to-markdown.ts'
import type { DocumentKind, FileDocument, FileOmissionReason, FileRead } from './repository-file.ts'
import { schemaDocument } from './schema-document.ts'
import { rstToMarkdown } from './rst-to-markdown.ts'

/** Parses code with a grammar. Returns null on failure. The caller must free the tree. */
export type ParseCode = (grammar: GrammarName, text: string) => Promise<Tree | null>

export type FileToRead = { path: string; kind: DocumentKind; bytes: Uint8Array<ArrayBuffer> }

/** Bytes searched for a NUL, which marks a binary file. */
const BINARY_SAMPLE = 8_000

/** Converts a file of a repository to a document, or returns the reason for its omission. */
export async function readFile({ path, kind, bytes }: FileToRead, parseCode: ParseCode): Promise<FileRead> {
  if (bytes.subarray(0, BINARY_SAMPLE).includes(0) && !hasByteOrderMark(bytes)) return omitted('binary')
  const text = decodeText(bytes, null)
  if (text === null) return omitted('unreadable')
  if (text.trim() === '') return omitted('no_text')
  if (kind === 'code') return readCode(path, text, parseCode)
  if (kind === 'licence') return { kind: 'document', document: licenceDocument(path, text) }
  if (kind === 'schema') {
    const document = schemaDocument(path, text)
    return document ? { kind: 'document', document } : omitted('no_symbols')
  }
  const markdown = TO_MARKDOWN[kind](text, path)
  return markdown === null ? omitted('unreadable') : titled(path, markdown)
}

const TO_MARKDOWN: Record<
  Exclude<DocumentKind, 'code' | 'licence' | 'schema'>,
  (text: string, path: string) => string | null
> = {
  markdown: (text) => text,
  mdx: mdxToMarkdown,
  rst: rstToMarkdown,
  asciidoc: asciidocToMarkdown,
  notebook: notebookToMarkdown,
  text: plainText,
}

async function readCode(path: string, text: string, parseCode: ParseCode): Promise<FileRead> {
  const language = codeLanguageOf(path)
  if (!language) return omitted('not_documentation')
  if (isGenerated(text)) return omitted('generated')
  if (isMinified(text)) return omitted('minified')
  const tree = await parseCode(language.grammar, text)
  if (!tree) return omitted('unreadable')
  try {
    const document = codeDocument({ path, root: tree.rootNode, language })
    return document ? { kind: 'document', document } : omitted('no_symbols')
  } finally {
    tree.delete()
  }
}

/** Uses the document's own title, or the path if it has none. The title of a README is often a picture. */
function titled(path: string, text: string): FileRead {
  const page = extractMarkdown(text, `file:///${path.split('/').map(encodeURIComponent).join('/')}`)
  if (page.kind === 'rejected') return omitted('unreadable')
  if (page.markdown === '') return omitted('no_text')
  const document: FileDocument = { title: page.title.slice(0, 200) || path, markdown: page.markdown }
  return { kind: 'document', document }
}

/**
 * Converts plain text to Markdown. Fences text with indented lines and without bullets; otherwise marks keep their
 * Markdown meaning.
 */
function plainText(text: string, path: string): string {
  const body = /^ {4}\S|\t\S/m.test(text) && !/^[-*] /m.test(text) ? fenced(text.trimEnd()) : text
  return `# ${path}\n\n${body}`
}

/** UTF-16 text contains many NULs. */
function hasByteOrderMark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function omitted(reason: FileOmissionReason): FileRead {
  return { kind: 'omitted', reason }
}
