import { type ArchiveLimits, ArchiveProblem, type EntryVisitor } from '../archive/archive-entry.ts'
import { readTar } from '../archive/read-tar.ts'
import { createEntryJudge, isWithin, joinPath } from './judge-entry.ts'
import { type DescriptionPart, createDescriptionShelf } from './description-shelf.ts'
import type { FileOmission, RepositoryFile } from './repository-file.ts'

/** What is in an archive: the files that are worth reading, and why the others are not. */
export type Unpacked =
  | {
      kind: 'unpacked'
      files: RepositoryFile[]
      /** Of what was left out, what descriptions of APIs may refer to. */
      parts: DescriptionPart[]
      omissions: FileOmission[]
    }
  /** No archive that can be read, in a sentence. */
  | { kind: 'rejected'; detail: string }

export type UnpackLimits = ArchiveLimits & {
  /** Bytes of all documents that are kept, and of all code; what is beyond is left out. */
  keptBytes: number
}

/** The kernel of Linux, one of the largest trees there are, has 1.6 GB in 90,000 files; 30 MB of it are worth reading. */
const LIMITS: UnpackLimits = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

/**
 * Reads a tar archive, compressed with gzip or not, in memory: nothing is written, no link is followed, and what lies
 * outside the archive's one top folder does not exist. Only what is under `scope` counts, a file or a folder from the
 * repository's root (empty for everything). `encoding` is the Content-Encoding that the bytes were sent in.
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
  const shelf = createDescriptionShelf(keptBytes)
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
      const read = judged === 'api' ? shelf.judge(path, bytes) : judged
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
  return { kind: 'unpacked', files, parts: shelf.parts(), omissions: [...omissions.values()] }
}

/**
 * The path below the archive's top folder, which code hosts name after the commit; null for the folder itself and for
 * what no repository has, absolute paths among it.
 */
function innerPath(path: string): string | null {
  const [top, ...rest] = path.replace(/^\.\//, '').split('/')
  return !top || top === '..' ? null : joinPath(rest.filter((part) => part !== '' && part !== '.'))
}
