import { encodePath, NOTHING_UPLOADED } from '#lib/addresses/page-address.ts'
import { GiveUp } from '#jobs/lease.ts'
import type { UploadKind, UploadedFile } from '#extract/upload/unpack-upload.ts'
import { killSentence } from '#workers/kill-reason.ts'
import { type Reading, UNPACK, parseInChild } from '#readers/parse-in-child.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { pdfItems, readPdf } from './pdf.ts'
import { readLocalFile, tellOmissions } from './read-local-file.ts'
import type { SourceDocument, SourceItem, SourceKept, SourceOmission, SourceReader } from './source-document.ts'

type Upload = { fileName: string; bytes: Uint8Array<ArrayBuffer> }
export type Uploads = {
  /** The uploaded file of a version of a source, empty for the one without; null before an upload. */
  find(of: { sourceId: string; version: string }): Promise<Upload | null>
  /** Addresses of the pages that the source has. */
  listUrls(sourceId: string): Promise<string[]>
}

/** Kinds of file that the page pool reads directly. */
const PAGE_TYPES: Partial<Record<UploadKind, string>> = {
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
}

/**
 * Reads the uploads of a source, one for each version: files that belong to no site, with URLs that cannot be opened. An
 * imported server has pages without their uploads. They stay until there is one.
 */
export function createUploadReader({ find, listUrls }: Uploads): SourceReader {
  return async function* ({ signal, memory, onFault }, { id, url, versions = '[]' }) {
    const reading = { signal, memory, onFault }
    const further = JSON.parse(versions) as string[]
    let isEmpty = true
    for (const version of ['', ...further]) {
      const upload = await find({ sourceId: id, version })
      const at = version === '' ? url : `${url}${version}/`
      const kept = upload === null ? importedPages(await listUrls(id), at, version === '' ? further : []) : null
      if (upload) yield* readUpload(upload, { at, isVersion: version !== '' }, reading)
      else if (kept) yield kept
      else if (version !== '')
        yield { kind: 'failed', url: at, reason: 'not_found', detail: `${version}: ${NOTHING_UPLOADED}` }
      isEmpty &&= upload === null && kept === null
    }
    if (isEmpty) throw new GiveUp(NOTHING_UPLOADED)
  }
}

/** What keeps the pages below an address that are of no version below it. Null if there are none. */
function importedPages(urls: readonly string[], at: string, versions: readonly string[]): SourceKept | null {
  const except = versions.map((version) => `${at}${version}/`)
  const isKept = urls.some((url) => url.startsWith(at) && !except.some((other) => url.startsWith(other)))
  return isKept ? { kind: 'kept', prefix: at, except } : null
}

async function* readUpload(
  { fileName, bytes: payload }: Upload,
  { at: base, isVersion }: { at: string; isVersion: boolean },
  reading: Reading,
): AsyncGenerator<SourceItem> {
  const task = { name: 'upload', input: { size: payload.byteLength, fileName } } as const
  const unpacked = await parseInChild(task, UNPACK, { ...reading, payload })
  if (unpacked.kind === 'killed') {
    throw new GiveUp(killSentence('Unpacking the archive', unpacked, 'Divide it into smaller ones.'))
  }
  if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
  const { files, parts, omissions } = unpacked.value
  // The folder of a release has its version in its name, so that its pages would have other paths in each.
  const top = isVersion ? topFolder([...files, ...omissions]) : ''
  const urlOf = (path: string) => base + encodePath(path.startsWith(top) ? path.slice(top.length) : path)
  await using child = new RepositoryProcess(reading)
  const around = { ...reading, child, parts, lineAnchor, omitted: [...omissions], described: new Set<string>() }
  for (const file of files.sort(byPath)) {
    const { path, kind, bytes } = file
    const type = PAGE_TYPES[kind]
    const at = urlOf(path)
    if (type) yield { kind: 'file', url: at, contentType: type, bytes }
    else if (kind === 'pdf') yield* readPdfFile(at, file, reading)
    // Files as in a repository: code, other documentation formats, API descriptions.
    else if (kind !== 'html') yield* readLocalFile({ path, kind, bytes }, at, around)
  }
  yield* tellOmissions(around, urlOf)
}

/** The folder that all files are in, with a slash. Empty if there is none. */
function topFolder(files: readonly { path: string }[]): string {
  const folders = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/') + 1)))
  const [only = ''] = folders
  return folders.size === 1 ? only : ''
}

const lineAnchor = (line: number) => `L${line}`

async function* readPdfFile(
  url: string,
  { path, bytes }: UploadedFile,
  reading: Reading,
): AsyncGenerator<SourceDocument | SourceOmission> {
  try {
    yield* pdfItems(url, await readPdf(bytes, reading), path)
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error
    yield { kind: 'failed', url, reason: 'unreadable', detail: error.message }
  }
}

/** Sorts by folder, with a README before other files. */
function byPath(a: UploadedFile, b: UploadedFile): number {
  const rank = ({ path }: UploadedFile) => Number(!/^readme\b[^/]*$/i.test(path))
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}
