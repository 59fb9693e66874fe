import { type ArchiveLimits, ArchiveProblem, type EntryVisitor } from '../archive/archive-entry.ts'
import { readTar } from '../archive/read-tar.ts'
import { createEntryJudge, isWithin, joinPath } from './judge-entry.ts'
import { type DescriptionPart, createSpecCollector } from './spec-collector.ts'
import type { FileOmission, RepositoryFile } from './repository-file.ts'

/** Content of an archive: the relevant files, and the reasons for omitting the others. */
export type Unpacked<File = RepositoryFile> =
  | {
      kind: 'unpacked'
      files: File[]
      /** Omitted files that API descriptions may refer to. */
      parts: DescriptionPart[]
      omissions: FileOmission[]
    }
  /** Unreadable archive, explained in a sentence. */
  | { kind: 'rejected'; detail: string }

export type UnpackLimits = ArchiveLimits & {
  /** Maximum total bytes of documents, and of code. Further files are omitted. */
  keptBytes: number
}

/** The Linux kernel, one of the largest trees, has 1.6 GB in 90,000 files, of which 30 MB are relevant. */
const LIMITS: UnpackLimits = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

/**
 * Reads a tar archive in memory, with or without gzip. Writes nothing and follows no links. Ignores everything outside
 * the single top folder. `scope` selects a file or folder from the repository's root, or everything if empty.
 * `encoding` is the Content-Encoding of the response.
 */
export async function unpackArchive(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  scope: string,
  { encoding = '', ...limits }: Partial<UnpackLimits> & { encoding?: string } = {},
): Promise<Unpacked> {
  const { archiveBytes, keptBytes, entries } = { ...LIMITS, ...limits }
  const files: RepositoryFile[] = []
  const omissions = new Map<string, FileOmission>()
  const judge = createEntryJudge(keptBytes)
  const specs = createSpecCollector(keptBytes)
  const visit: EntryVisitor = (entry) => {
    const path = innerPath(entry.path)
    if (path === null || !isWithin(path, scope)) return null
    const judged = judge(path, entry)
    if (typeof judged !== 'string') {
      omissions.set(judged.path, judged)
      return null
    }
    return (bytes) => {
      if (!bytes) return
      const read = judged === 'api' ? specs.judge(path, bytes) : judged
      if (typeof read === 'string') files.push({ path, kind: read, bytes })
      else omissions.set(path, read)
    }
  }
  try {
    await readTar(bytes, { archiveBytes, entries, encoding }, visit)
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    return { kind: 'rejected', detail: `The repository's archive cannot be read: ${error.message}.` }
  }
  return { kind: 'unpacked', files, parts: specs.parts(), omissions: [...omissions.values()] }
}

/**
 * Returns the path below the top folder, which code hosts name after the commit. Returns null for the folder itself and
 * for invalid paths, including absolute ones.
 */
function innerPath(path: string): string | null {
  const [top, ...rest] = path.replace(/^\.\//, '').split('/')
  return !top || top === '..' ? null : joinPath(rest.filter((part) => part !== '' && part !== '.'))
}
