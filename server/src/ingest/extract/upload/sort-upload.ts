import type { FileKind } from '../repository/repository-file.ts'
import { type Sorted, sortFile } from '../repository/sort-file.ts'

/** How an uploaded file is read: as a page, as a PDF, or as a file of a repository. */
export type UploadKind = FileKind | 'html' | 'pdf'

const MOST_BYTES = { html: 24 << 20, pdf: 64 << 20, text: 8 << 20 }

/** What a Mac puts beside the files in its archives. */
const RESOURCE_FORK = /^__MACOSX\/|(^|\/)\._[^/]*$/

/**
 * Sorts an uploaded file by its path and size: what is read of a repository, and what people have beside it. Who uploads
 * plain text means it, wherever it lies.
 */
export function sortUpload(path: string, size: number): { kind: UploadKind } | Extract<Sorted, { omit: unknown }> {
  if (RESOURCE_FORK.test(path)) return { omit: 'not_documentation', folder: null }
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = /^x?html?$/.test(ending)
    ? 'html'
    : ending === 'pdf'
      ? 'pdf'
      : /^(txt|text)$/.test(ending)
        ? 'text'
        : null
  if (kind === null) return sortFile(path, size)
  // Folders count for these as for all others; a name that is always read tells of them alone.
  const sorted = sortFile(path.replace(/(?<![^/])[^/]+$/, 'a.md'), 0)
  if ('omit' in sorted) return sorted
  return size > MOST_BYTES[kind] ? { omit: 'too_large', folder: null } : { kind }
}
