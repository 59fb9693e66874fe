import type kinds from './file-kinds.json'
import type reasons from './omission-reasons.json'

/** Reader for a file of a repository. `api` is an API description, or JSON and YAML that may be one. */
export type FileKind = keyof typeof kinds.mostBytes
/** Kinds that become one document each. */
export type DocumentKind = Exclude<FileKind, 'api'>

/** A relevant file, as it is in the archive. */
export type RepositoryFile = {
  /** Path from the repository's root, separated by `/`. */
  path: string
  kind: FileKind
  bytes: Uint8Array<ArrayBuffer>
}

export type FileOmissionReason = keyof typeof reasons

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

export function isGraphql(path: string): boolean {
  return /\.(graphqls?|gql)$/i.test(path)
}
