/** How a file of a repository is read; `api` is a description of an API, or JSON and YAML that may be one. */
export type FileKind = DocumentKind | 'api'
/** What becomes one document. */
export type DocumentKind = 'markdown' | 'mdx' | 'rst' | 'asciidoc' | 'notebook' | 'text' | 'licence' | 'code' | 'schema'

/** A file that is worth reading, as it is in the archive. */
export type RepositoryFile = {
  /** From the repository's root, with `/` between the parts. */
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

/** A file, or a folder with all that is in it, that gives no document. */
export type FileOmission = { path: string; isFolder: boolean; reason: FileOmissionReason }

/** What is shown of a file. */
export type FileDocument = {
  title: string
  markdown: string
  /** Lines of the file (from 1) that stretches of the Markdown are about, each up to the next; code files only. */
  lines?: { offset: number; line: number }[]
}

/** A file that was read. */
export type FileRead = { kind: 'document'; document: FileDocument } | { kind: 'omitted'; reason: FileOmissionReason }
