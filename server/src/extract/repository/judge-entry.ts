import type { FileKind, FileOmission } from './repository-file.ts'
import { sortFile } from './sort-file.ts'

/** Maximum path length of file systems. Paths in git are shorter in practice. */
const MAX_PATH = 4_096

/**
 * Returns true if the path equals the scope or is beneath it. The scope is a file or folder from the repository's root;
 * an empty scope contains everything.
 */
export function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

/** Joins path segments. Returns null for invalid paths: empty, with `..` or NUL, or too long. */
export function joinPath(parts: readonly string[]): string | null {
  const path = parts.join('/')
  const isSound = parts.length > 0 && path.length <= MAX_PATH && !parts.includes('..') && !path.includes('\0')
  return isSound ? path : null
}

/**
 * Creates a judge for the entries of one repository, which it must see in order. By path and size it returns the kind
 * of a file, or the reason for its omission. Keeps at most `keptBytes` of documents, and of code. For JSON and YAML the
 * content decides later.
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
