import kinds from './file-kinds.json' with { type: 'json' }
import type reasons from './omission-reasons.json'

/** Reader for a file of a repository. `api` is an API description, or JSON and YAML that may be one. */
export type FileKind = keyof typeof kinds.mostBytes
/** Formats that the readers of pages convert. */
export type FileFormat = keyof typeof kinds.mediaTypes
/** Kinds that become one document each. */
export type DocumentKind = Exclude<FileKind, 'api' | FileFormat>

export function isConverted(kind: string): kind is FileFormat {
  return kind in kinds.mediaTypes
}

/** Returns the format of a file by its ending, or null for others. */
export function formatOf(path: string): FileFormat | null {
  const endings: Readonly<Record<string, string>> = kinds.endings
  const kind = endings[/\.(\w{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? ''
  return isConverted(kind) ? kind : null
}

const FORMATS = new Map(
  Object.entries(kinds.mediaTypes).flatMap(([format, types]) => types.map((type) => [type, format as FileFormat])),
)

/** Returns the format with a media type, or null. */
export function formatOfType(type: string): FileFormat | null {
  return FORMATS.get(type) ?? null
}

/** Returns the registered media type of a format. */
export function mediaTypeOf(format: FileFormat): string {
  return kinds.mediaTypes[format][0] ?? ''
}

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
