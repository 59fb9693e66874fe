import { type ArchiveEntry, type ArchiveLimits, ArchiveProblem, type EntryVisitor } from '../archive/archive-entry.ts'
import { readTar } from '../archive/read-tar.ts'
import type { FileKind, FileOmission, RepositoryFile } from './repository-file.ts'
import { sortFile } from './sort-file.ts'

/** What is in an archive: the files that are worth reading, and why the others are not. */
export type Unpacked =
  | { kind: 'unpacked'; files: RepositoryFile[]; omissions: FileOmission[] }
  /** No archive that can be read, in a sentence. */
  | { kind: 'rejected'; detail: string }

export type UnpackLimits = ArchiveLimits & {
  /** Bytes of all documents that are kept, and of all code; what is beyond is left out. */
  keptBytes: number
}

/** The kernel of Linux, one of the largest trees there are, has 1.6 GB in 90,000 files; 30 MB of it are worth reading. */
const LIMITS: UnpackLimits = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

/** What file systems take; git has no longer paths in practice. */
const MAX_PATH = 4_096

/**
 * Reads a tar archive, compressed with gzip or not, in memory: nothing is written, no link is followed, and what lies
 * outside the archive's one top folder does not exist. Only what is under `scope` counts, a file or a folder from the
 * repository's root (empty for everything).
 */
export async function unpackArchive(
  bytes: Uint8Array,
  scope: string,
  limits: Partial<UnpackLimits> = {},
): Promise<Unpacked> {
  const { archiveBytes, keptBytes, entries } = { ...LIMITS, ...limits }
  const files: RepositoryFile[] = []
  const omissions = new Map<string, FileOmission>()
  const kept = { documents: 0, code: 0 }
  const judge = (path: string, entry: ArchiveEntry): FileKind | FileOmission => {
    if (!entry.isFile) return { path, isFolder: false, reason: 'link' }
    const sorted = sortFile(path, entry.size)
    if ('omit' in sorted) {
      return { path: sorted.folder ?? path, isFolder: sorted.folder !== null, reason: sorted.omit }
    }
    const share = sorted.kind === 'code' ? 'code' : 'documents'
    if (kept[share] + entry.size > keptBytes) return { path, isFolder: false, reason: 'too_large' }
    kept[share] += entry.size
    return sorted.kind
  }
  const visit: EntryVisitor = (entry) => {
    const path = innerPath(entry.path)
    if (path === null || !isWithin(path, scope)) return null
    const judged = judge(path, entry)
    if (typeof judged === 'string') return (bytes) => bytes && files.push({ path, kind: judged, bytes })
    omissions.set(judged.path, judged)
    return null
  }
  try {
    await readTar(bytes, { archiveBytes, entries }, visit)
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    return { kind: 'rejected', detail: `The repository's archive cannot be read: ${error.message}.` }
  }
  return { kind: 'unpacked', files, omissions: [...omissions.values()] }
}

/**
 * The path below the archive's top folder, which code hosts name after the commit; null for the folder itself and for
 * what no repository has: absolute paths, steps upwards, NUL, paths without end.
 */
function innerPath(path: string): string | null {
  if (path.length > MAX_PATH) return null
  const [top, ...rest] = path.replace(/^\.\//, '').split('/')
  const parts = rest.filter((part) => part !== '' && part !== '.')
  if (!top || top === '..' || parts.length === 0 || parts.includes('..') || path.includes('\0')) return null
  return parts.join('/')
}

function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}
