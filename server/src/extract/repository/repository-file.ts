/** Reader for a file of a repository. `api` is an API description, or JSON and YAML that may be one. */
export type FileKind = DocumentKind | 'api'
/** Kinds that become one document each. */
export type DocumentKind =
  | 'markdown'
  | 'mdx'
  | 'rst'
  | 'asciidoc'
  | 'roff'
  | 'notebook'
  | 'text'
  | 'licence'
  | 'code'
  | 'schema'

/** A relevant file, as it is in the archive. */
export type RepositoryFile = {
  /** Path from the repository's root, separated by `/`. */
  path: string
  kind: FileKind
  bytes: Uint8Array<ArrayBuffer>
}

export type FileOmissionReason =
  | 'vendored'
  | 'generated'
  | 'minified'
  | 'binary'
  | 'too_large'
  | 'test'
  | 'link'
  | 'unsafe_path'
  | 'not_documentation'
  | 'no_symbols'
  | 'no_text'
  | 'encrypted'
  | 'unreadable'

/** An omitted file, or a folder omitted with all its content. */
export type FileOmission = { path: string; isFolder: boolean; reason: FileOmissionReason }

/** Document made from a file. */
export type FileDocument = {
  title: string
  markdown: string
  /** Source lines (from 1) of parts of the Markdown, each part ending at the next offset. Code files only. */
  lines?: { offset: number; line: number }[]
}

/** Result of reading a file. */
export type FileRead = { kind: 'document'; document: FileDocument } | { kind: 'omitted'; reason: FileOmissionReason }

/** Encloses code in fences longer than any run of backticks in it. */
export function fenced(code: string, language = ''): string {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
