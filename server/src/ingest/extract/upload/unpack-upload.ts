import { type ArchiveLimits, ArchiveProblem, type EntryVisitor } from '../archive/archive-entry.ts'
import { isGzip, isTar, readTar } from '../archive/read-tar.ts'
import { isZip, readZip } from '../archive/read-zip.ts'
import { type DescriptionPart, createDescriptionShelf } from '../repository/description-shelf.ts'
import { isVendorFolder } from '../repository/sort-file.ts'
import type { FileOmission } from '../repository/repository-file.ts'
import { type UploadKind, sortUpload } from './sort-upload.ts'

export type UploadedFile = { path: string; kind: UploadKind; bytes: Uint8Array<ArrayBuffer> }

/** What is in an upload: the files that are worth reading, and why the others are not. */
export type UnpackedUpload =
  | {
      kind: 'unpacked'
      files: UploadedFile[]
      /** Of what was left out, what descriptions of APIs may refer to. */
      parts: DescriptionPart[]
      omissions: FileOmission[]
    }
  /** Nothing that can be read, in a sentence. */
  | { kind: 'rejected'; detail: string }

export type UploadLimits = ArchiveLimits & {
  /** Bytes of all files that are kept; what is beyond is left out. */
  keptBytes: number
}

/** What is kept is in memory until it is read; ten thousand pages of Markdown have some 80 MB. */
const LIMITS: UploadLimits = { archiveBytes: 1_000_000_000, keptBytes: 96 << 20, entries: 100_000 }
const MAX_PATH = 1_000

type Input = { bytes: Uint8Array<ArrayBuffer>; fileName: string; limits?: Partial<UploadLimits> }

/**
 * One file, or the files of a zip or tar archive, in memory: nothing is written, no link is followed, no archive within
 * an archive is opened. What it is, its first bytes tell; of a single file that is no archive its name does.
 */
export async function unpackUpload({ bytes, fileName, limits: given }: Input): Promise<UnpackedUpload> {
  const limits = { ...LIMITS, ...given }
  const readArchive = archiveReaderOf(bytes)
  if (!readArchive) return single(bytes, fileName)
  try {
    const unpacked = await unpackAll(bytes, { readArchive, limits, ownFolders: [] })
    // Whoever uploads nothing but such a folder means what is in it.
    const ownFolders = unpacked.files.length > 0 ? [] : vendorFolders(unpacked)
    return ownFolders.length > 0 ? await unpackAll(bytes, { readArchive, limits, ownFolders }) : unpacked
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    return { kind: 'rejected', detail: `The archive cannot be read: ${error.message}.` }
  }
}

/** By the first bytes. A PDF may have any bytes after its signature, those of an archive's checksum included. */
function archiveReaderOf(bytes: Uint8Array): typeof readZip | null {
  if (isPdf(bytes)) return null
  if (isZip(bytes)) return readZip
  return isGzip(bytes) || isTar(bytes) ? readTar : null
}

type Reading = {
  readArchive: typeof readZip
  limits: UploadLimits
  /** Folders that are the upload itself: what is in them is judged as if they were not there. */
  ownFolders: readonly string[]
}

async function unpackAll(
  bytes: Uint8Array<ArrayBuffer>,
  { readArchive, limits, ownFolders }: Reading,
): Promise<Extract<UnpackedUpload, { kind: 'unpacked' }>> {
  const files = new Map<string, UploadedFile>()
  const omissions = new Map<string, FileOmission>()
  const omit = (path: string, reason: FileOmission['reason'], isFolder = false) =>
    omissions.set(path, { path, isFolder, reason })
  const shelf = createDescriptionShelf(limits.keptBytes)
  let kept = 0
  const visit: EntryVisitor = ({ path: written, size, isFile, isEncrypted }) => {
    const { path, isSafe } = cleanPath(written)
    if (path === '') return null
    if (!isSafe) omit(path, 'unsafe_path')
    if (isSafe && !isFile) omit(path, 'link')
    if (isSafe && isFile && isEncrypted) omit(path, 'encrypted')
    if (!isSafe || !isFile || isEncrypted) return null
    const own = ownFolders.map((folder) => `${folder}/`).find((folder) => path.startsWith(folder)) ?? ''
    const sorted = sortUpload(path.slice(own.length), size)
    if ('omit' in sorted) omit(sorted.folder === null ? path : own + sorted.folder, sorted.omit, sorted.folder !== null)
    else if (sorted.kind === 'api') return (content) => (content ? putOnShelf(path, content) : omit(path, 'unreadable'))
    else if (kept + size > limits.keptBytes) omit(path, 'too_large')
    else {
      kept += size
      return (content) => {
        // As when it is unpacked: of two files with one path the later one is there in the end.
        if (content) files.set(path, { path, kind: sorted.kind, bytes: content })
        else omit(path, 'unreadable')
      }
    }
    return null
  }
  const putOnShelf = (path: string, content: Uint8Array<ArrayBuffer>) => {
    const read = shelf.judge(path, content)
    if (read === 'api') files.set(path, { path, kind: read, bytes: content })
    else omit(path, read.reason)
  }
  await readArchive(bytes, limits, visit)
  return { kind: 'unpacked', files: [...files.values()], parts: shelf.parts(), omissions: [...omissions.values()] }
}

function vendorFolders({ omissions }: { omissions: readonly FileOmission[] }): string[] {
  const folders = omissions.filter(({ isFolder, reason }) => isFolder && reason === 'vendored')
  return folders.map(({ path }) => path).filter((path) => isVendorFolder(path.split('/').at(-1) ?? ''))
}

function single(bytes: Uint8Array<ArrayBuffer>, fileName: string): UnpackedUpload {
  const path = isPdf(bytes) && !/\.pdf$/i.test(fileName) ? `${fileName}.pdf` : fileName
  const sorted = sortUpload(path, bytes.byteLength)
  const isRead = 'kind' in sorted && (sorted.kind !== 'api' || isDescription(bytes))
  if (isRead) return { kind: 'unpacked', files: [{ path, kind: sorted.kind, bytes }], parts: [], omissions: [] }
  const why =
    'omit' in sorted && sorted.omit === 'too_large' ? 'is too large to be read' : 'is nothing that can be read'
  const detail = `"${fileName}" ${why}. Upload Markdown, HTML, PDF, plain text, descriptions of APIs, or a zip or tar archive of such files.`
  return { kind: 'rejected', detail }
}

/**
 * A path without what would lead out of the archive, and whether anything of that kind was in it. It is only ever part
 * of an address; still, two names for one place would be one too many.
 */
function cleanPath(written: string): { path: string; isSafe: boolean } {
  const parts = written.split('/')
  const clean = parts.filter((part) => part !== '' && part !== '.' && part !== '..')
  const path = clean
    .join('/')
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .slice(0, MAX_PATH)
  const isSafe =
    !written.startsWith('/') && !parts.includes('..') && !/\p{Cc}/u.test(written) && written.length <= MAX_PATH
  return { path, isSafe }
}

function isDescription(bytes: Uint8Array<ArrayBuffer>): boolean {
  return createDescriptionShelf(bytes.byteLength).judge('', bytes) === 'api'
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}
