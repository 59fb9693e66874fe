import { NOTHING_UPLOADED, uploadName, uploadUrl } from '#lib/addresses/page-address.ts'
import { GiveUp } from '#jobs/lease.ts'
import type { UploadKind, UploadedFile } from '#extract/upload/unpack-upload.ts'
import { killSentence } from '#workers/kill-reason.ts'
import { type Reading, UNPACK, parseInChild } from '#readers/parse-in-child.ts'
import { RepositoryProcess } from '#readers/repository-process.ts'
import { pdfItems, readPdf } from './pdf.ts'
import { readLocalFile, tellOmissions } from './read-local-file.ts'
import type { SourceDocument, SourceOmission, SourceReader } from './source-document.ts'

/** Returns the uploaded file of a source; null before an upload. */
export type FindUpload = (sourceId: string) => Promise<{ fileName: string; bytes: Uint8Array<ArrayBuffer> } | null>

/** Kinds of file that the page pool reads directly. */
const PAGE_TYPES: Partial<Record<UploadKind, string>> = {
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
}

/** Reads an upload: files that belong to no site, with URLs that cannot be opened. */
export function createUploadReader(findUpload: FindUpload): SourceReader {
  return async function* ({ signal, memory, onFault }, { id, url }) {
    const reading = { signal, memory, onFault }
    const upload = await findUpload(id)
    if (!upload) throw new GiveUp(NOTHING_UPLOADED)
    const { fileName, bytes: payload } = upload
    const task = { name: 'upload', input: { size: payload.byteLength, fileName } } as const
    const unpacked = await parseInChild(task, UNPACK, { ...reading, payload })
    if (unpacked.kind === 'killed') {
      throw new GiveUp(killSentence('Unpacking the archive', unpacked, 'Divide it into smaller ones.'))
    }
    if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
    const { files, parts, omissions } = unpacked.value
    const name = uploadName(url)
    await using child = new RepositoryProcess(reading)
    const around = { ...reading, child, parts, lineAnchor, omitted: [...omissions], described: new Set<string>() }
    for (const file of files.sort(byPath)) {
      const { path, kind, bytes } = file
      const type = PAGE_TYPES[kind]
      const at = uploadUrl(name, path)
      if (type) yield { kind: 'file', url: at, contentType: type, bytes }
      else if (kind === 'pdf') yield* readPdfFile(at, file, reading)
      // Files as in a repository: code, other documentation formats, API descriptions.
      else if (kind !== 'html') yield* readLocalFile({ path, kind, bytes }, at, around)
    }
    yield* tellOmissions(around, (path) => uploadUrl(name, path))
  }
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
