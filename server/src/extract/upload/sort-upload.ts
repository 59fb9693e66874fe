import type { FileKind } from '../repository/repository-file.ts'
import { type Sorted, isPageSource, sortFile } from '../repository/sort-file.ts'

/** Reader for an uploaded file: page, PDF, or file of a repository. */
export type UploadKind = FileKind | 'html' | 'pdf'

const MOST_BYTES = { html: 24 << 20, pdf: 64 << 20, text: 8 << 20 }

/** Metadata files that macOS adds to archives. */
const RESOURCE_FORK = /^__MACOSX\/|(^|\/)\._[^/]*$/

/**
 * Decides about an uploaded file by path and size: all kinds read from repositories, and HTML and PDF. Plain text is
 * read in any folder, because users upload it on purpose.
 */
export function sortUpload(path: string, size: number): { kind: UploadKind } | Extract<Sorted, { omit: unknown }> {
  if (RESOURCE_FORK.test(path)) return { omit: 'not_documentation', folder: null }
  if (isPageSource(path)) return { omit: 'generated', folder: null }
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = /^x?html?$/.test(ending)
    ? 'html'
    : ending === 'pdf'
      ? 'pdf'
      : /^(txt|text)$/.test(ending)
        ? 'text'
        : null
  if (kind === null) return sortFile(path, size)
  // Folder rules apply to these files, too. A name that is always read isolates their effect.
  const sorted = sortFile(path.replace(/(?<![^/])[^/]+$/, 'a.md'), 0)
  if ('omit' in sorted) return sorted
  const most = MOST_BYTES[kind]
  return size > most ? { omit: 'too_large', folder: null, most } : { kind }
}
