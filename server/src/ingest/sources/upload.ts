import { NOTHING_UPLOADED, uploadName, uploadUrl } from '#lib/upload-url.ts'
import { GiveUp } from '#jobs/errors.ts'
import type { FileOmission } from '../extract/repository/repository-file.ts'
import type { UploadKind } from '../extract/upload/sort-upload.ts'
import type { UploadedFile } from '../extract/upload/unpack-upload.ts'
import { parseApart } from '../parse-apart.ts'
import { RepositoryThread } from '../repository-thread.ts'
import { groupOmissions } from './omission-sentences.ts'
import { readPdf } from './pdf.ts'
import type { FileReader, SourceDocument, SourceFile, SourceOmission } from './source-document.ts'

type Item = SourceDocument | SourceFile | SourceOmission

/** What was uploaded for a source, as it was sent; null while nothing was. */
export type FindUpload = (sourceId: string) => Promise<{ fileName: string; bytes: Uint8Array<ArrayBuffer> } | null>

/** An archive of 64 MB takes some 10 seconds. What it is unpacked to is counted while it is, and less than this. */
const UNPACK = { memoryMb: 512, killAfterMs: 120_000 }

/** What the page threads read by themselves. */
const PAGE_TYPES: Partial<Record<UploadKind, string>> = {
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
}

/** Reads what somebody uploaded: files that are no part of any site, and have addresses that lead nowhere. */
export function createUploadReader(findUpload: FindUpload): FileReader {
  return async function* ({ signal }, { id, url }) {
    const upload = await findUpload(id)
    if (!upload) throw new GiveUp(NOTHING_UPLOADED)
    const unpacked = await parseApart({ name: 'upload', input: upload }, UNPACK, signal)
    if (unpacked.kind === 'killed') {
      const what = unpacked.reason === 'timeout' ? 'time' : 'memory'
      throw new GiveUp(`Unpacking the archive took too much ${what}. Divide it into smaller ones.`)
    }
    if (unpacked.value.kind === 'rejected') throw new GiveUp(unpacked.value.detail)
    const { files, omissions } = unpacked.value
    const name = uploadName(url)
    await using thread = new RepositoryThread(signal)
    const omitted = [...omissions]
    for (const file of files.sort(byPath)) {
      const type = PAGE_TYPES[file.kind]
      const at = uploadUrl(name, file.path)
      if (type) yield { kind: 'file', url: at, contentType: type, bytes: file.bytes }
      else if (file.kind === 'pdf') yield* readPdfFile(at, file, signal)
      else yield* readOther(at, file, thread, omitted)
    }
    for (const { path, reason, detail } of groupOmissions(omitted)) {
      yield { kind: 'skipped', url: uploadUrl(name, path), reason, detail }
    }
  }
}

async function* readPdfFile(url: string, { path, bytes }: UploadedFile, signal: AbortSignal): AsyncGenerator<Item> {
  try {
    const { title, markdown, language, anchors } = await readPdf(bytes, signal)
    yield { kind: 'document', url, title: title || path, markdown, language, anchors }
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error
    yield { kind: 'failed', url, reason: 'unreadable', detail: error.message }
  }
}

/** What a repository has: code and the further formats of documentation. */
async function* readOther(
  url: string,
  { path, kind, bytes }: UploadedFile,
  thread: RepositoryThread,
  omitted: FileOmission[],
): AsyncGenerator<Item> {
  if (kind === 'html' || kind === 'pdf') throw new Error(`${kind} is no format of a repository`)
  const read = await thread.run('read', { path, kind, bytes })
  if (read.kind === 'killed') {
    const detail = `Reading the file took too ${read.reason === 'timeout' ? 'long' : 'much memory'}.`
    yield { kind: 'failed', url, reason: 'too_slow_to_read', detail }
  } else if (read.value.kind === 'omitted') omitted.push({ path, isFolder: false, reason: read.value.reason })
  else {
    const { title, markdown, lines } = read.value.document
    const anchors = lines?.map(({ offset, line }) => ({ offset, anchor: `L${line}` }))
    yield { kind: 'document', url, title, markdown, language: null, ...(anchors ? { anchors } : {}) }
  }
}

/** Folder by folder, and a README before what stands beside it. */
function byPath(a: UploadedFile, b: UploadedFile): number {
  const rank = ({ path }: UploadedFile) => Number(!/^readme\b[^/]*$/i.test(path))
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1)
}
