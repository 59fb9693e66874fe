import type { FileKind } from './repository-file.ts'
import { sortFile } from './sort-file.ts'
import { ArchiveProblem, readTar } from '../archive/read-archive.ts'
import { createFileCollector, type Unpacked } from './collect-files.ts'
import { PackError, PackObjects } from './pack-objects.ts'

/** Maximum path length of file systems. Paths in git are shorter in practice. */
const MAX_PATH = 4_096

/** True for a path equal to a scope or beneath it. An empty scope contains everything. */
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
 * `keptBytes` is the maximum of documents, and of code. Further files are omitted. The Linux kernel, one of the largest
 * trees, has 1.6 GB in 90,000 files, of which 30 MB are relevant.
 */
const ARCHIVE_LIMITS = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

/**
 * Reads a tar archive in memory, with or without gzip. Writes nothing and follows no links. Ignores everything outside
 * the single top folder. `scope` selects a file or folder from the repository's root, or everything if empty.
 * `encoding` is the Content-Encoding of the response.
 */
export async function unpackArchive(
  bytes: Uint8Array | AsyncIterable<Buffer>,
  scope: string,
  { encoding = '', ...limits }: Partial<typeof ARCHIVE_LIMITS> & { encoding?: string } = {},
): Promise<Unpacked<FileKind>> {
  const { archiveBytes, keptBytes, entries } = { ...ARCHIVE_LIMITS, ...limits }
  const collector = createFileCollector<FileKind>(keptBytes, shareOf, 'schema')
  try {
    await readTar(bytes, { archiveBytes, entries, encoding }, ({ path: written, size, isFile }) => {
      const path = innerPath(written)
      if (path === null || !isWithin(path, scope)) return null
      return isFile ? collector.take(path, size, sortFile(path, size)) : collector.omit(path, 'link')
    })
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    return { kind: 'rejected', detail: `The repository's archive cannot be read: ${error.message}.` }
  }
  return collector.unpacked()
}

const shareOf = (kind: FileKind) => (kind === 'code' ? 'code' : 'documents')

/** Returns the path below the top folder. Null for the folder itself and invalid paths, such as absolute ones. */
function innerPath(path: string): string | null {
  const [top, ...rest] = path.replace(/^\.\//, '').split('/')
  return !top || top === '..' ? null : joinPath(rest.filter((part) => part !== '' && part !== '.'))
}

/** A pack of one commit has no more objects than files and folders. */
const PACK_LIMITS = {
  ...ARCHIVE_LIMITS,
  objects: 500_000,
  objectBytes: 64 << 20,
  totalBytes: ARCHIVE_LIMITS.archiveBytes,
}
type Limits = typeof PACK_LIMITS

/** Maximum folder depth. A tree that contains itself under other names has no end. */
const MAX_DEPTH = 200

const FILE = /^100/
const FOLDER = '40000'

/** Reads a commit from a git pack like `unpackArchive`. Files that the host was asked to omit are too large. */
export function unpackPack(
  bytes: Uint8Array,
  { commit, scope }: { commit: string; scope: string },
  limits: Partial<Limits> = {},
): Unpacked<FileKind> {
  const most = { ...PACK_LIMITS, ...limits }
  try {
    const pack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return readTree(new PackObjects(pack, most), { commit, scope }, most)
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    return { kind: 'rejected', detail: `The repository's pack cannot be read: ${error.message}.` }
  }
}

function readTree(objects: PackObjects, { commit, scope }: { commit: string; scope: string }, most: Limits) {
  const head = objects.read(commit, 'commit')?.toString('latin1') ?? ''
  const root = /^tree ([\da-f]{40})$/m.exec(head)?.[1]
  if (root === undefined) throw new PackError('it does not hold the commit that was asked for')
  const collector = createFileCollector<FileKind>(most.keptBytes, shareOf, 'schema')
  const open: { id: string; parts: string[] }[] = [{ id: root, parts: [] }]
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
      const isFile = FILE.test(mode)
      const blob = isFile ? objects.read(id, 'blob') : null
      const size = blob?.length ?? Number.POSITIVE_INFINITY
      const take = isFile ? collector.take(path, size, sortFile(path, size)) : collector.omit(path, 'link')
      if (blob) take?.(new Uint8Array(blob))
    }
  }
  return collector.unpacked()
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
