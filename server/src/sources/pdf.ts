import { GiveUp } from '#jobs/lease.ts'
import type { ReadPdf } from '#extract/pdf/read-pdf.ts'
import { lastSegment } from '#extract/resolve-link.ts'
import { killSentence } from '#workers/kill-reason.ts'
import { parseInChild, type ParseLimits, type Reading } from '#readers/parse-in-child.ts'
import { fetchWhole, type SourceDocument, type SourceOmission, type WholeReader } from './source-document.ts'

/** Manuals of some thousand pages have up to 100 MB, mostly images. */
const MAX_BYTES = 128 << 20
const TOTAL_MS = 180_000

/** Unreadable pages that are reported one by one. */
const MAX_LOST = 100

/** Reads a PDF as one document. Each passage links to the page it begins on. */
export const readPdfSource: WholeReader = async function* (deps, { url }) {
  const headers = { accept: 'application/pdf, */*;q=0.1' }
  const request = { headers, maxBytes: MAX_BYTES, totalMs: TOTAL_MS, keepEncoding: true }
  const { url: address, bytes, headers: answered, release } = await fetchWhole(deps, url, request)
  const pdf = await readPdf(bytes, deps, answered['content-encoding'])
  release?.()
  yield* pdfItems(address, pdf, lastSegment(address))
}

/** The document of a PDF, and its unreadable pages by number. */
export function* pdfItems(
  url: string,
  { title, markdown, language, anchors, pageCount, lost }: ReadPdf,
  untitled: string,
): Generator<SourceDocument | SourceOmission> {
  yield { kind: 'document', url, title: title || untitled, markdown, language, anchors, pdfPages: pageCount }
  for (const page of lost.slice(0, MAX_LOST)) {
    const detail = `Page ${page} of the PDF is damaged and could not be read.`
    yield { kind: 'failed', url: pageUrl(url, page), reason: 'unreadable', detail }
  }
}

/** Reads a PDF, encoded or not, in a child process. Throws `GiveUp` with advice if it gives no text. */
export async function readPdf(bytes: Uint8Array, reading: Reading, encoding = ''): Promise<ReadPdf> {
  const input = { bytes, encoding, maxBytes: MAX_BYTES }
  const result = await parseInChild({ name: 'pdf', input }, limitsFor(bytes.byteLength), reading)
  if (result.kind === 'killed') {
    const advice = 'Divide it into smaller files, or save it anew without pictures.'
    throw new GiveUp(killSentence('Reading the PDF', result, advice))
  }
  if (result.value.kind === 'rejected') throw new GiveUp(result.value.detail)
  return result.value
}

/**
 * A megabyte of PDF takes far less than ten seconds of CPU time; large PDFs usually reach a hundred pages a second. Of
 * 600 files below 3 MB in test suites of readers, none takes more than 120 MB with the program.
 */
export function limitsFor(size: number): ParseLimits {
  const megabytes = size >> 20
  const memoryMb = 64 + Math.ceil(96 * Math.min(1, size / (1 << 20))) + 4 * megabytes
  return { memoryMb, killAfterMs: Math.min(120_000, 8_000 + 4_000 * megabytes) }
}

/** URL for reports about one page, told apart by a parameter: a page has no URL without a fragment. */
function pageUrl(address: string, page: number): string {
  return `${address}${address.includes('?') ? '&' : '?'}docent-page=${page}`
}
