import { apiFormat } from '../api/parse-data.ts'
import { parseHtml } from '../html/html-tree.ts'
import { readPageFacts } from '../html/page-facts.ts'

/** Type hints from the beginning of a document. */
export type DocumentStart = {
  isPdf: boolean
  api: { format: string; title: string | null } | null
  /** `feeds`: addresses of RSS and Atom feeds. */
  head: { title: string | null; generator: string | null; feeds: string[] }
}

/** Mail gateways and scanners put a few bytes before the signature, which PDF readers accept (ISO 32000-1, annex H). */
const PDF_BYTES = 1024

/** Extracts type hints from the beginning of a document. */
export function readStart(bytes: Uint8Array, url: string): DocumentStart {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const format = apiFormat(start)
  const title = /"?\btitle"?\s{0,9}:\s{0,9}["']?([^"'\n,}]+)/.exec(start)?.[1] ?? null
  const facts = readPageFacts(parseHtml(start) ?? [], url)
  return {
    isPdf: start.slice(0, PDF_BYTES).includes('%PDF-'),
    api: format === null ? null : { format, title },
    head: { title: facts.title || null, generator: facts.generator, feeds: facts.feeds },
  }
}
