import { hasReader, SOURCE_TYPES, type ReaderType } from '@docent/contract/values/source-kinds'
import type { SourceReader } from '#sources/source-document.ts'

/** Readers of all kinds of source, all the same. */
export function everyReader(reader: SourceReader): Record<ReaderType | 'upload', SourceReader> {
  const kinds = [...SOURCE_TYPES.filter(hasReader), 'upload' as const]
  return Object.fromEntries(kinds.map((kind) => [kind, reader])) as Record<ReaderType | 'upload', SourceReader>
}
