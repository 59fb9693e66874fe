import { GiveUp } from '#jobs/errors.ts'
import type { NoPdf, ReadPdf } from '../extract/pdf/read-pdf.ts'
import { lastSegment } from '../extract/last-segment.ts'
import { killSentence } from '../kill-reason.ts'
import { parseApart, type ParseLimits, type Reading } from '../parse-apart.ts'
import { fetchWhole } from './fetch-whole.ts'
import type { SourceOmission, WholeReader } from './source-document.ts'

/** Manuals of some thousand pages have up to 100 MB, most of it pictures. */
const MAX_BYTES = 128 << 20
const TOTAL_MS = 180_000

/** Pages that could not be read and are named one by one in the report. */
const MAX_LOST = 100

/** Reads a PDF as one document, whose passages lead to the page they begin on. */
export const readPdfSource: WholeReader = async function* (deps, { url }) {
  const headers = { accept: 'application/pdf, */*;q=0.1' }
  const response = await fetchWhole(deps, url, {
    headers,
    maxBytes: MAX_BYTES,
    totalMs: TOTAL_MS,
    keepEncoding: true,
  })
  const { title, markdown, language, anchors, lost } = await readPdf(
    response.bytes,
    deps,
    response.headers['content-encoding'],
  )
  response.release?.()
  const address = response.url
  yield { kind: 'document', url: address, title: title || lastSegment(address), markdown, language, anchors }
  yield* lostPages(address, lost)
}

/** Names the pages that could not be read, by their numbers. */
export function* lostPages(address: string, lost: readonly number[]): Generator<SourceOmission> {
  for (const page of lost.slice(0, MAX_LOST)) {
    const detail = `Page ${page} of the PDF is damaged and could not be read.`
    yield { kind: 'failed', url: pageUrl(address, page), reason: 'unreadable', detail }
  }
}

/** Reads a PDF in a process of its own, where its Content-Encoding is undone. Throws `GiveUp` with what its owner can do about one that gives no text. */
export async function readPdf(bytes: Uint8Array, reading: Reading, encoding = ''): Promise<ReadPdf> {
  const input = { bytes, encoding, maxBytes: MAX_BYTES }
  const result = await parseApart({ name: 'pdf', input }, limitsFor(bytes.byteLength), reading)
  if (result.kind === 'killed') {
    const advice = 'Divide it into smaller files, or save it anew without pictures.'
    throw new GiveUp(killSentence('Reading the PDF', result, advice))
  }
  return whole(result.value)
}

function whole(read: ReadPdf | NoPdf): ReadPdf {
  if (read.kind === 'rejected') throw new GiveUp(read.detail)
  return read
}

/** Ten seconds of the processor are far more than a PDF of a megabyte takes; a hundred pages a second are usual for large ones. */
export function limitsFor(size: number): ParseLimits {
  const megabytes = size >> 20
  return { memoryMb: 160 + 4 * megabytes, killAfterMs: Math.min(120_000, 8_000 + 4_000 * megabytes) }
}

/** A page has no address of its own but for a fragment: what is reported about it is told apart by a parameter. */
function pageUrl(address: string, page: number): string {
  return `${address}${address.includes('?') ? '&' : '?'}docent-page=${page}`
}
