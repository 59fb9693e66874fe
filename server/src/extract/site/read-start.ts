import { Parser } from 'htmlparser2'
import { oneLine } from '#lib/text/one-line.ts'
import { apiFormat } from '../api/parse-data.ts'

/** Metadata from the head of an HTML page. */
export type PageHead = { title: string | null; generator: string | null }

/** Reads the head of a page. `html` is the beginning of the page. */
export function readPageHead(html: string): PageHead {
  const head: PageHead = { title: null, generator: null }
  let title: string | null = null
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'title' && head.title === null) title = ''
      if (tag === 'meta' && attributes['name']?.toLowerCase() === 'generator') {
        head.generator ??= oneLine(attributes['content'] ?? '') || null
      }
    },
    ontext(text) {
      if (title !== null) title += text
    },
    onclosetag(tag) {
      if (tag !== 'title' || title === null) return
      head.title = oneLine(title) || null
      title = null
    },
  })
  parser.end(html)
  return head
}

/** Type hints from the beginning of a document. */
export type DocumentStart = {
  isPdf: boolean
  /** Format and title of an API description. */
  api: { format: string; title: string | null } | null
  /** The head of a page. */
  head: PageHead
}

/** Mail gateways and scanners put a few bytes before the signature, which PDF readers accept (ISO 32000-1, annex H). */
const PDF_BYTES = 1024

/** Extracts type hints from the beginning of a document. */
export function readStart(bytes: Uint8Array): DocumentStart {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const format = apiFormat(start)
  const title = /"?\btitle"?\s{0,9}:\s{0,9}["']?([^"'\n,}]+)/.exec(start)?.[1] ?? null
  return {
    isPdf: start.slice(0, PDF_BYTES).includes('%PDF-'),
    api: format === null ? null : { format, title },
    head: readPageHead(start),
  }
}
