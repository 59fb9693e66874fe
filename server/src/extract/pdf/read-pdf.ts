import { getDocumentProxy } from 'unpdf'
import { readContent } from './read-content.ts'
import { pdfToMarkdown } from './pdf-to-markdown.ts'
import type { WrittenPdf } from './write-blocks.ts'

export type ReadPdf = WrittenPdf & {
  kind: 'pdf'
  /** Title from the metadata or the largest heading, or empty. */
  title: string
  language: string | null
  /** Numbers of unreadable pages. */
  lost: number[]
}

/** A PDF without readable text, with advice for its owner. */
export type NoPdf = { kind: 'rejected'; reason: 'not_a_pdf' | 'encrypted' | 'damaged' | 'scanned'; detail: string }

/** The signature is within the first bytes: some programs write their own header before it. */
const SIGNATURE_WITHIN = 1024

/** Converts a PDF to Markdown. Fetches nothing and runs no script of the document. */
export async function readPdf({ bytes }: { bytes: Uint8Array }): Promise<ReadPdf | NoPdf> {
  if (Buffer.from(bytes.subarray(0, SIGNATURE_WITHIN)).indexOf('%PDF-') < 0) {
    return reject('not_a_pdf', 'The file is no PDF: it does not begin as one. Check where the address leads.')
  }
  const opened = await open(bytes)
  if (opened.kind === 'rejected') return opened
  const { content, lost } = await readContent(opened.document)
  const written = pdfToMarkdown(content)
  if (!/[\p{L}\p{N}]/u.test(written.markdown)) {
    if (lost.length > 0) return reject('damaged', 'The PDF is damaged: none of its pages can be read. Save it anew.')
    return reject('scanned', 'The PDF holds pictures and no text. Put it through text recognition (OCR) and try again.')
  }
  return { kind: 'pdf', ...written, language: content.language, lost }
}

type Opened = { kind: 'opened'; document: Awaited<ReturnType<typeof getDocumentProxy>> } | NoPdf

async function open(bytes: Uint8Array): Promise<Opened> {
  try {
    const document = await getDocumentProxy(bytes, { verbosity: 0, enableXfa: false, stopAtErrors: false })
    return { kind: 'opened', document }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name === 'PasswordException') {
      return reject('encrypted', 'The PDF is protected by a password. Save it without one and try again.')
    }
    // The parser only reads the file here, so any other error means that the file is damaged.
    return reject('damaged', `The PDF is damaged and cannot be opened (${error.message.slice(0, 120)}). Save it anew.`)
  }
}

function reject(reason: NoPdf['reason'], detail: string): NoPdf {
  return { kind: 'rejected', reason, detail }
}
