import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import type { FileKind, FileOmission, RepositoryFile } from './repository-file.ts'
import { sortFile } from './sort-file.ts'

/** What is in an archive: the files that are worth reading, and why the others are not. */
export type Unpacked =
  | { kind: 'unpacked'; files: RepositoryFile[]; omissions: FileOmission[] }
  /** No archive that can be read, in a sentence. */
  | { kind: 'rejected'; detail: string }

export type UnpackLimits = {
  /** Bytes of the archive when it is decompressed; larger ones are refused. */
  archiveBytes: number
  /** Bytes of all documents that are kept, and of all code; what is beyond is left out. */
  keptBytes: number
  entries: number
}

/** The kernel of Linux, one of the largest trees there are, has 1.6 GB in 90,000 files; 30 MB of it are worth reading. */
const LIMITS: UnpackLimits = { archiveBytes: 2_000_000_000, keptBytes: 40 << 20, entries: 250_000 }

const STEP = 1 << 18
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
  let seen = 0
  const judge = (path: string, entry: ReadEntry): FileKind | FileOmission => {
    if (entry.type !== 'File' && entry.type !== 'OldFile') return { path, isFolder: false, reason: 'link' }
    const sorted = sortFile(path, entry.size)
    if ('omit' in sorted) {
      return { path: sorted.folder ?? path, isFolder: sorted.folder !== null, reason: sorted.omit }
    }
    const share = sorted.kind === 'code' ? 'code' : 'documents'
    if (kept[share] + entry.size > keptBytes) return { path, isFolder: false, reason: 'too_large' }
    kept[share] += entry.size
    return sorted.kind
  }
  const onReadEntry = (entry: ReadEntry) => {
    const path = seen++ < entries && entry.type !== 'Directory' ? innerPath(entry.path) : null
    const judged = path !== null && isWithin(path, scope) ? judge(path, entry) : null
    if (path !== null && typeof judged === 'string') {
      const chunks: Buffer[] = []
      entry.on('data', (chunk: Buffer) => chunks.push(chunk))
      entry.on('end', () => files.push({ path, kind: judged, bytes: new Uint8Array(Buffer.concat(chunks)) }))
      return
    }
    if (judged !== null && typeof judged !== 'string') omissions.set(judged.path, judged)
    entry.resume()
  }
  let wasCut = false
  const parser = new Parser({
    onReadEntry,
    // Of the compressions that the parser knows, none may be met: decompressing is done below, and counted.
    brotli: false,
    zstd: false,
    onwarn: (code) => (wasCut ||= code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ABORT'),
  })
  let problem: string | null = null
  let size = 0
  try {
    await inflate(bytes, (chunk) => {
      if (size === 0 && isGzip(chunk)) throw new Unreadable('it is compressed twice')
      size += chunk.byteLength
      if (size > archiveBytes) throw new Unreadable(`it holds more than ${Math.round(archiveBytes / 1e6)} MB`)
      parser.write(chunk)
    })
    // Entries are read as they are written, so that nothing is left to wait for.
    parser.end()
  } catch (error) {
    problem = error instanceof Unreadable ? error.message : 'it is damaged'
  }
  if (problem === null && seen === 0) problem = 'there is nothing in it'
  if (problem === null && (wasCut || seen > entries)) problem = wasCut ? 'it ends too early' : 'it has too many files'
  if (problem !== null) return { kind: 'rejected', detail: `The repository's archive cannot be read: ${problem}.` }
  return { kind: 'unpacked', files, omissions: [...omissions.values()] }
}

/** Ends the reading; the message goes into the sentence about it. */
class Unreadable extends Error {
  override name = 'Unreadable'
}

/** Hands on the archive in pieces, so that what is decompressed is never whole in memory. */
async function inflate(bytes: Uint8Array, take: (chunk: Buffer) => void): Promise<void> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces = function* () {
    for (let at = 0; at < source.length; at += STEP) yield source.subarray(at, at + STEP)
  }
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) take(chunk)
  }
  if (isGzip(source)) await pipeline(pieces, createGunzip({ chunkSize: STEP }), sink)
  else await pipeline(pieces, sink)
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
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
