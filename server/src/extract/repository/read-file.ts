import type { Node, Tree } from 'web-tree-sitter'
import { decodeText } from '../decode.ts'
import { extractMarkdown } from '../markdown/extract-markdown.ts'
import { asciidocToMarkdown } from './asciidoc-to-markdown.ts'
import { type CodeLanguage, codeLanguageOf } from './code-languages.ts'
import { fenced, joinParts } from '../markdown/write-markdown.ts'
import type { DocumentKind, FileDocument, FileOmissionReason, FileRead } from './repository-file.ts'
import { schemaDocument } from './schema-document.ts'
import { roffToMarkdown } from './roff-to-markdown.ts'
import { rstToMarkdown } from './rst-to-markdown.ts'
import { visible } from '#lib/text/one-line.ts'
import { fileDocText } from './doc-text.ts'
import licences from './licences.json' with { type: 'json' }
import { readSymbols } from './read-symbols.ts'

/** Maximum length of the excerpt in characters. Nobody searches documentation for the rest of a licence. */
const MAX_LENGTH = 1_500

/** Parses code with a grammar. Returns null on failure. The caller must free the tree. */
export type ParseCode = (grammar: string, text: string) => Promise<Tree | null>

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
  if (kind === 'schema') return documentOf(schemaDocument(path, text))
  const markdown = TO_MARKDOWN[kind](text, path)
  return markdown === null
    ? omitted(kind === 'roff' ? 'not_documentation' : 'unreadable')
    : titled(path, markdown, kind === 'mdx')
}

const TO_MARKDOWN: Record<
  Exclude<DocumentKind, 'licence' | 'code' | 'schema'>,
  (text: string, path: string) => string | null
> = {
  markdown: (text) => text,
  mdx: (text) => text,
  rst: rstToMarkdown,
  asciidoc: asciidocToMarkdown,
  roff: roffToMarkdown,
  text: plainText,
}

async function readCode(path: string, text: string, parseCode: ParseCode): Promise<FileRead> {
  const language = codeLanguageOf(path)
  if (!language) return omitted('not_documentation')
  if (GENERATED.test(text.slice(0, HEAD))) return omitted('generated')
  if (isMinified(text)) return omitted('minified')
  const tree = await parseCode(language.grammar, text)
  if (!tree) return omitted('unreadable')
  try {
    return documentOf(codeDocument(path, tree.rootNode, language))
  } finally {
    tree.delete()
  }
}

function documentOf(document: FileDocument | null): FileRead {
  return document ? { kind: 'document', document } : omitted('no_symbols')
}

/** Uses the document's own title, or the path if it has none. The title of a README is often a picture. */
function titled(path: string, text: string, isMdx: boolean): FileRead {
  const page = extractMarkdown(text, `file:///${path.split('/').map(encodeURIComponent).join('/')}`, { isMdx })
  if (page.kind === 'rejected') return omitted('unreadable')
  if (page.markdown === '') return omitted('no_text')
  return { kind: 'document', document: { title: page.title.slice(0, 200) || path, markdown: page.markdown } }
}

/** Converts plain text to Markdown. Fences text with indented lines and without bullets. */
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

/** Renders the file comment, and a section for each public symbol. Returns null if there is no public symbol. */
function codeDocument(path: string, root: Node, language: CodeLanguage): FileDocument | null {
  const symbols = readSymbols(root, language.rules)
  if (symbols.length === 0) return null
  // Offsets refer to the cleaned text.
  let markdown = visible(joinParts([`# ${path}`, fileDocText(root)]))
  const lines: { offset: number; line: number }[] = []
  for (const { name, depth, signature, doc, line } of symbols) {
    lines.push({ offset: markdown.length + 2, line })
    const parts = [`${'#'.repeat(depth + 2)} ${name}`, fenced(signature, language.fence), doc]
    markdown += visible(`\n\n${joinParts(parts)}`)
  }
  return { title: path, markdown, lines }
}

/** Generators mark their output at its beginning, mostly in words that other tools recognise, too. */
const GENERATED =
  /@generated\b|code generated .{0,200}do not edit|this (file|code) (is|was) (auto-?)?generated|<auto-generated|autogenerated by|generated by .{0,80}do not (edit|modify)/i
const HEAD = 1_500

/** Maximum length of a line, and of lines on average. People break longer lines; programs do not. */
const LONGEST_LINE = 5_000
const USUAL_LINE = 200

function isMinified(text: string): boolean {
  const lines = text.split('\n')
  if (lines.some(({ length }) => length > LONGEST_LINE)) return true
  return text.length > 2_000 && text.length / lines.length > USUAL_LINE
}

/** Converts a licence file to a short document with the name of the licence. */
export function licenceDocument(path: string, text: string): FileDocument {
  const words = text.slice(0, 20_000).toLowerCase().replaceAll(/\s+/g, ' ')
  // The first licence wins whose words are all there. Its id is that of SPDX.
  const known = licences.find((licence) => licence.words.every((each) => words.includes(each)))?.id
  const start = text.trim()
  const cut =
    start.length > MAX_LENGTH ? `${start.slice(0, start.lastIndexOf('\n', MAX_LENGTH) + 1).trimEnd()}\n\n…` : start
  const title = known ? `Licence: ${known}` : `Licence (${path})`
  const sentence = known ? `This repository's file \`${path}\` is the licence ${known}.` : ''
  return { title, markdown: joinParts([`# ${title}`, sentence, cut]) }
}
