import type { FileKind, FileOmission } from './repository-file.ts'
import { sortFile } from './sort-file.ts'

/** What file systems take; git has no longer paths in practice. */
const MAX_PATH = 4_096

/** Whether a path is the scope itself, a file or a folder from the repository's root, or beneath it. */
export function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

/** The path of these parts, or null for what no repository has: steps upwards, NUL, paths without end. */
export function joinPath(parts: readonly string[]): string | null {
  const path = parts.join('/')
  const isSound = parts.length > 0 && path.length <= MAX_PATH && !parts.includes('..') && !path.includes('\0')
  return isSound ? path : null
}

/**
 * Judges the entries of one repository in their order, by path and size: how each is read, or why not. Of all documents
 * together, and of all code, `keptBytes` are kept. Whether JSON and YAML are read at all, their content tells.
 */
export function createEntryJudge(keptBytes: number) {
  const kept = { documents: 0, code: 0 }
  return (path: string, { size, isFile }: { size: number; isFile: boolean }): FileKind | FileOmission => {
    if (!isFile) return { path, isFolder: false, reason: 'link' }
    const sorted = sortFile(path, size)
    if ('omit' in sorted) {
      return { path: sorted.folder ?? path, isFolder: sorted.folder !== null, reason: sorted.omit }
    }
    if (sorted.kind === 'api') return sorted.kind
    const share = sorted.kind === 'code' ? 'code' : 'documents'
    if (kept[share] + size > keptBytes) return { path, isFolder: false, reason: 'too_large' }
    kept[share] += size
    return sorted.kind
  }
}
