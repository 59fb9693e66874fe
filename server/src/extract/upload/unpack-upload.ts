import { createSpecCollector } from '#extract/repository/spec-collector.ts'
import {
  type ArchiveLimits,
  ArchiveProblem,
  type EntryVisitor,
  isGzip,
  isTar,
  readTar,
  isZip,
  readZip,
} from '../archive/read-archive.ts'
import { isVendorFolder, type Sorted, isPageSource, sortFile } from '../repository/sort-file.ts'
import type { FileOmission, FileKind } from '../repository/repository-file.ts'
import type { Unpacked } from '../repository/unpack-repository.ts'

/** Reader for an uploaded file: page, PDF, or file of a repository. */
export type UploadKind = FileKind | 'html' | 'pdf'

export type UploadedFile = { path: string; kind: UploadKind; bytes: Uint8Array<ArrayBuffer> }

/** Content of an upload. */
export type UnpackedUpload = Unpacked<UploadedFile>

export type UploadLimits = ArchiveLimits & {
  /** Maximum total bytes of kept files. Further files are omitted. */
  keptBytes: number
}

/** Kept files stay in memory until they are read. Ten thousand pages of Markdown have about 80 MB. */
const LIMITS: UploadLimits = { archiveBytes: 1_000_000_000, keptBytes: 96 << 20, entries: 100_000 }
const MAX_PATH = 1_000

type Input = { bytes: Uint8Array<ArrayBuffer>; fileName: string; limits?: Partial<UploadLimits> }

/**
 * Reads one file, or the files of a zip or tar archive, in memory. Writes nothing, follows no links, and opens no
 * nested archives. The first bytes identify an archive; the file name gives the kind of a single file.
 */
export async function unpackUpload({ bytes, fileName, limits: given }: Input): Promise<UnpackedUpload> {
  const limits = { ...LIMITS, ...given }
  const readArchive = archiveReaderOf(bytes)
  if (!readArchive) return single(bytes, fileName)
  try {
    const unpacked = await unpackAll(bytes, { readArchive, limits, ownFolders: [] })
    // Whoever uploads only such a folder wants it indexed.
    const ownFolders = unpacked.files.length > 0 ? [] : vendorFolders(unpacked)
    return ownFolders.length > 0 ? await unpackAll(bytes, { readArchive, limits, ownFolders }) : unpacked
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    return { kind: 'rejected', detail: `The archive cannot be read: ${error.message}.` }
  }
}

/**
 * Chooses the reader by the first bytes. A PDF can have any bytes after its signature, including a valid tar checksum.
 */
function archiveReaderOf(bytes: Uint8Array): typeof readZip | null {
  if (isPdf(bytes)) return null
  if (isZip(bytes)) return readZip
  return isGzip(bytes) || isTar(bytes) ? readTar : null
}

type Reading = {
  readArchive: typeof readZip
  limits: UploadLimits
  /** Third-party folders that make up the whole upload. Their files are judged by the path below them. */
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
  const specs = createSpecCollector(limits.keptBytes)
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
        // As on disk, the later of two files with one path wins.
        if (content) files.set(path, { path, kind: sorted.kind, bytes: content })
        else omit(path, 'unreadable')
      }
    }
    return null
  }
  const putOnShelf = (path: string, content: Uint8Array<ArrayBuffer>) => {
    const read = specs.judge(path, content)
    if (read === 'api') files.set(path, { path, kind: read, bytes: content })
    else omit(path, read.reason)
  }
  await readArchive(bytes, limits, visit)
  return { kind: 'unpacked', files: [...files.values()], parts: specs.parts(), omissions: [...omissions.values()] }
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
  if ('omit' in sorted && sorted.most !== undefined) {
    const megabytes = (size: number) => (size / (1 << 20)).toLocaleString('en', { maximumFractionDigits: 1 })
    const limit = `"${fileName}" has ${megabytes(bytes.byteLength)} MB, and a file of its kind can have ${megabytes(sorted.most)} MB.`
    return { kind: 'rejected', detail: `${limit} Divide it into smaller files.` }
  }
  const detail = `"${fileName}" is nothing that can be read. Upload Markdown, HTML, PDF, plain text, descriptions of APIs, or a zip or tar archive of such files.`
  return { kind: 'rejected', detail }
}

/**
 * Removes traversal segments and control characters from a path. `isSafe` is false if the path was absolute, too long
 * or contained any of them. The path is only used in addresses, but must not be ambiguous.
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
  return createSpecCollector(bytes.byteLength).judge('', bytes) === 'api'
}

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}

const MOST_BYTES = { html: 24 << 20, pdf: 64 << 20, text: 8 << 20 }

/** Metadata files that macOS adds to archives. */
const RESOURCE_FORK = /^__MACOSX\/|(^|\/)\._[^/]*$/

/**
 * Decides about an uploaded file by path and size: all kinds read from repositories, and HTML and PDF. Plain text is
 * read in any folder, because users upload it on purpose.
 */
export function sortUpload(path: string, size: number): { kind: UploadKind } | Extract<Sorted, { omit: unknown }> {
  if (RESOURCE_FORK.test(path)) return { omit: 'not_documentation', folder: null }
  if (isPageSource(path)) return { omit: 'generated', folder: null }
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = /^x?html?$/.test(ending)
    ? 'html'
    : ending === 'pdf'
      ? 'pdf'
      : /^(txt|text)$/.test(ending)
        ? 'text'
        : null
  if (kind === null) return sortFile(path, size)
  // Folder rules apply to these files, too. A name that is always read isolates their effect.
  const sorted = sortFile(path.replace(/(?<![^/])[^/]+$/, 'a.md'), 0)
  if ('omit' in sorted) return sorted
  const most = MOST_BYTES[kind]
  return size > most ? { omit: 'too_large', folder: null, most } : { kind }
}
