import { createEntryJudge, isWithin, joinPath } from './judge-entry.ts'
import { createSpecCollector } from './spec-collector.ts'
import { PackError } from './apply-delta.ts'
import { type PackLimits, PackObjects } from './pack-objects.ts'
import type { FileOmission, RepositoryFile } from './repository-file.ts'
import type { Unpacked } from './unpack-archive.ts'

type Limits = PackLimits & {
  /** Maximum total bytes of documents, and of code. Further files are omitted. */
  keptBytes: number
  entries: number
}

/** Same limits as for archives. A pack of one commit has no more objects than files and folders. */
const LIMITS: Limits = {
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
  const most = { ...LIMITS, ...limits }
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
