import type { FileKind, FileOmission, RepositoryFile } from './repository-file.ts'
import { sortFile } from './sort-file.ts'
import { type ArchiveLimits, ArchiveProblem, type EntryVisitor, readTar } from '../archive/read-archive.ts'
import { type DescriptionPart, createSpecCollector } from './spec-collector.ts'
import { PackError, type PackLimits, PackObjects } from './pack-objects.ts'

/** Maximum path length of file systems. Paths in git are shorter in practice. */
const MAX_PATH = 4_096

/**
 * Returns true if the path equals the scope or is beneath it. The scope is a file or folder from the repository's root;
 * an empty scope contains everything.
 */
function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`)
}

/** Joins path segments. Returns null for invalid paths: empty, with `..` or NUL, or too long. */
function joinPath(parts: readonly string[]): string | null {
  const path = parts.join('/')
  const isSound = parts.length > 0 && path.length <= MAX_PATH && !parts.includes('..') && !path.includes('\0')
  return isSound ? path : null
}

/**
 * Creates a judge for the entries of one repository, which it must see in order. By path and size it returns the kind
 * of a file, or the reason for its omission. Keeps at most `keptBytes` of documents, and of code. For JSON and YAML the
 * content decides later.
 */
function createEntryJudge(keptBytes: number) {
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
const ARCHIVE_LIMITS: UnpackLimits = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

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
  const { archiveBytes, keptBytes, entries } = { ...ARCHIVE_LIMITS, ...limits }
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

type Limits = PackLimits & {
  /** Maximum total bytes of documents, and of code. Further files are omitted. */
  keptBytes: number
  entries: number
}

/** Same limits as for archives. A pack of one commit has no more objects than files and folders. */
const PACK_LIMITS: Limits = {
  objects: 500_000,
  objectBytes: 64 << 20,
  totalBytes: 2_000_000_000,
  keptBytes: 40 << 20,
  entries: 250_000,
}

/** Maximum folder depth. A tree that contains itself under other names has no end. */
const MAX_DEPTH = 200

const FILE = /^100/
const FOLDER = '40000'

/**
 * Reads the files of a commit from a git pack, like `unpackArchive` for archives. Large files are missing because the
 * host was asked to omit them, and are reported as too large.
 */
export function unpackPack(
  bytes: Uint8Array,
  { commit, scope }: { commit: string; scope: string },
  limits: Partial<Limits> = {},
): Unpacked {
  const most = { ...PACK_LIMITS, ...limits }
  try {
    const pack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return readTree(new PackObjects(pack, most), { commit, scope }, most)
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    return { kind: 'rejected', detail: `The repository's pack cannot be read: ${error.message}.` }
  }
}

type Place = { id: string; parts: string[] }

function readTree(objects: PackObjects, { commit, scope }: { commit: string; scope: string }, most: Limits): Unpacked {
  const head = objects.read(commit, 'commit')?.toString('latin1') ?? ''
  const root = /^tree ([\da-f]{40})$/m.exec(head)?.[1]
  if (root === undefined) throw new PackError('it does not hold the commit that was asked for')
  const judge = createEntryJudge(most.keptBytes)
  const specs = createSpecCollector(most.keptBytes)
  const files: RepositoryFile[] = []
  const omissions = new Map<string, FileOmission>()
  const open: Place[] = [{ id: root, parts: [] }]
  let seen = 0
  for (let place = open.shift(); place !== undefined; place = open.shift()) {
    const tree = objects.read(place.id, 'tree')
    if (!tree) throw new PackError('a folder is missing in it')
    for (const { mode, name, id } of treeEntries(tree)) {
      if (++seen > most.entries) throw new PackError('it has too many files')
      const parts = [...place.parts, name]
      const path = name === '.git' ? null : joinPath(parts)
      if (path === null) continue
      if (mode === FOLDER) {
        if (parts.length <= MAX_DEPTH && (isWithin(path, scope) || isWithin(scope, path))) open.push({ id, parts })
        continue
      }
      if (!isWithin(path, scope)) continue
      const blob = FILE.test(mode) ? objects.read(id, 'blob') : null
      const judged = judge(path, { size: blob?.length ?? Number.POSITIVE_INFINITY, isFile: FILE.test(mode) })
      const bytes = typeof judged === 'string' && blob ? new Uint8Array(blob) : null
      const read = judged === 'api' && bytes ? specs.judge(path, bytes) : judged
      if (typeof read !== 'string') omissions.set(read.path, read)
      else if (bytes) files.push({ path, kind: read, bytes })
    }
  }
  return { kind: 'unpacked', files, parts: specs.parts(), omissions: [...omissions.values()] }
}

/** Yields mode, name and id of each tree entry: `<mode> <name>\0<20 bytes>`. */
function* treeEntries(tree: Buffer): Generator<{ mode: string; name: string; id: string }> {
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(0x20, at)
    const nul = tree.indexOf(0, space)
    if (space < 0 || nul < 0 || nul + 21 > tree.length) throw new PackError('it is damaged')
    yield {
      mode: tree.toString('latin1', at, space),
      name: tree.toString('utf8', space + 1, nul),
      id: tree.toString('hex', nul + 1, nul + 21),
    }
    at = nul + 21
  }
}
