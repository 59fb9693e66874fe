import {
  type ArchiveLimits,
  ArchiveProblem,
  ArchiveTooLarge,
  type EntryVisitor,
  isGzip,
  isTar,
  readTar,
  isZip,
  readZip,
} from '../archive/read-archive.ts'
import { createFileCollector, isDescription, isJsonSchema, type Unpacked } from '../repository/collect-files.ts'
import { isVendorFolder, type Sorted, isPageSource, sortFile } from '../repository/sort-file.ts'
import { type FileKind, type FileOmission, formatOf } from '../repository/repository-file.ts'

/** Reader for an uploaded file: page, PDF, or file of a repository. */
export type UploadKind = FileKind | 'html' | 'pdf'

/** Content of an upload. */
export type UnpackedUpload = Unpacked<UploadKind>
export type UploadedFile = Extract<UnpackedUpload, { kind: 'unpacked' }>['files'][number]

/** `keptBytes` is the maximum of kept files. Further files are omitted. */
export type UploadLimits = ArchiveLimits & { keptBytes: number }

/** Documents have up to 15 times the size of their archive. Small bombs would cost as much as large archives. */
const EXPANSION = 20
const ALWAYS_BYTES = 12_000_000
/** Kept files stay in memory until they are read. Ten thousand pages of Markdown have about 80 MB. */
const LIMITS: UploadLimits = { archiveBytes: 1_000_000_000, keptBytes: 96 << 20, entries: 100_000 }
const MAX_PATH = 1_000

type Input = { bytes: Uint8Array<ArrayBuffer>; fileName: string; limits?: Partial<UploadLimits> }

/**
 * Reads one file, or the files of a zip or tar archive, in memory. Writes nothing, follows no links, and opens no
 * nested archives. The first bytes identify an archive, unless it is named
 * like an office file. The name gives the kind of a single file.
 */
export async function unpackUpload({ bytes, fileName, limits: given }: Input): Promise<UnpackedUpload> {
  const archiveBytes = Math.min(LIMITS.archiveBytes, Math.max(ALWAYS_BYTES, EXPANSION * bytes.byteLength))
  const limits = { ...LIMITS, archiveBytes, ...given }
  const readArchive = formatOf(fileName) === null ? archiveReaderOf(bytes) : null
  if (!readArchive) return single(bytes, fileName)
  try {
    const unpacked = await unpackAll(bytes, { readArchive, limits, ownFolders: [] })
    // Whoever uploads only such a folder wants it indexed.
    const ownFolders = unpacked.files.length > 0 ? [] : vendorFolders(unpacked)
    return ownFolders.length > 0 ? await unpackAll(bytes, { readArchive, limits, ownFolders }) : unpacked
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error
    const isBomb = archiveBytes < LIMITS.archiveBytes && error instanceof ArchiveTooLarge
    const advice = isBomb
      ? ` That is more than ${EXPANSION} times its own size. Upload its files in several archives.`
      : ''
    return { kind: 'rejected', detail: `The archive cannot be read: ${error.message}.${advice}` }
  }
}

/** Chooses the reader by the first bytes. After its signature a PDF can have a valid tar checksum. */
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

async function unpackAll(bytes: Uint8Array<ArrayBuffer>, { readArchive, limits, ownFolders }: Reading) {
  const collector = createFileCollector<UploadKind>(limits.keptBytes, () => 'files', 'schema')
  const visit: EntryVisitor = ({ path: written, size, isFile, isEncrypted }) => {
    const { path, isSafe } = cleanPath(written)
    if (path === '') return null
    if (!isSafe) return collector.omit(path, 'unsafe_path')
    if (!isFile) return collector.omit(path, 'link')
    if (isEncrypted) return collector.omit(path, 'encrypted')
    const own = ownFolders.map((folder) => `${folder}/`).find((folder) => path.startsWith(folder)) ?? ''
    return collector.take(path, size, sortUpload(path.slice(own.length), size), own)
  }
  await readArchive(bytes, limits, visit)
  return collector.unpacked()
}

function vendorFolders({ omissions }: { omissions: readonly FileOmission[] }): string[] {
  const folders = omissions.filter(({ isFolder, reason }) => isFolder && reason === 'vendored')
  return folders.map(({ path }) => path).filter((path) => isVendorFolder(path.split('/').at(-1) ?? ''))
}

function single(bytes: Uint8Array<ArrayBuffer>, fileName: string): UnpackedUpload {
  const path = isPdf(bytes) && !/\.pdf$/i.test(fileName) ? `${fileName}.pdf` : fileName
  const sorted = sortUpload(path, bytes.byteLength)
  const kind = 'kind' in sorted ? singleKind(sorted.kind, bytes) : null
  if (kind !== null) return { kind: 'unpacked', files: [{ path, kind, bytes }], parts: [], omissions: [] }
  if ('omit' in sorted && sorted.most !== undefined) {
    const megabytes = (size: number) => (size / (1 << 20)).toLocaleString('en', { maximumFractionDigits: 1 })
    const limit = `"${fileName}" has ${megabytes(bytes.byteLength)} MB, and a file of its kind can have ${megabytes(sorted.most)} MB.`
    return { kind: 'rejected', detail: `${limit} Divide it into smaller files.` }
  }
  const detail = `"${fileName}" is nothing that can be read. Upload Markdown, HTML, PDF, DOCX, PPTX, XLSX, ODT, EPUB, notebooks, Org, plain text, descriptions of APIs, or a zip or tar archive of such files.`
  return { kind: 'rejected', detail }
}

/** The kind of a single file. Null for data that is neither an API description nor a JSON Schema. */
function singleKind(kind: UploadKind, bytes: Uint8Array<ArrayBuffer>): UploadKind | null {
  if (kind !== 'api' || isDescription(bytes)) return kind
  return isJsonSchema(bytes) ? 'schema' : null
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

function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'
}

const MOST_BYTES = { html: 24 << 20, pdf: 64 << 20, text: 8 << 20 }
const PAGE_KINDS: Record<string, keyof typeof MOST_BYTES> = {
  htm: 'html',
  html: 'html',
  xhtm: 'html',
  xhtml: 'html',
  pdf: 'pdf',
  txt: 'text',
  text: 'text',
}

/** Metadata files that macOS adds to archives. */
const RESOURCE_FORK = /^__MACOSX\/|(^|\/)\._[^/]*$/

/** Decides about an uploaded file as in a repository, but reads HTML, PDF, and plain text in any folder. */
export function sortUpload(path: string, size: number): Sorted<UploadKind> {
  if (RESOURCE_FORK.test(path)) return { omit: 'not_documentation', folder: null }
  if (isPageSource(path)) return { omit: 'generated', folder: null }
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const kind = PAGE_KINDS[ending]
  if (kind === undefined) return sortFile(path, size)
  // Folder rules apply to these files, too. A name that is always read isolates their effect.
  const sorted = sortFile(path.replace(/(?<![^/])[^/]+$/, 'a.md'), 0)
  if ('omit' in sorted) return sorted
  const most = MOST_BYTES[kind]
  return size > most ? { omit: 'too_large', folder: null, most } : { kind }
}
