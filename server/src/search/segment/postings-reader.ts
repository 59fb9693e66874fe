import { ByteReader } from './byte-reader.ts'
import { PLAIN } from './field-codes.ts'
import { FIELD_COUNT } from './layout.ts'
import { HAS_CHUNKS, WINDOW_BITS } from './postings-format.ts'

/** How widespread a term is; sums over segments. */
export type TermStats = {
  pages: number
  chunks: number
  /** Pages by field, in the order of `PAGE_FIELDS`. */
  fields: number[]
}

export type PostingsHeader = {
  stats: TermStats
  /** Fields it occurs in, as `FIELD_BIT`. */
  present: number
  windowed: boolean
  entries: number
}

/** Reads the header of a term's postings; `entries` is where they begin. */
export function readPostingsHeader(bytes: Uint8Array, start: number): PostingsHeader {
  const reader = new ByteReader(bytes, start)
  const head = reader.varint()
  const present = reader.byte()
  const pages = head >>> 1
  const chunks = present & HAS_CHUNKS ? reader.varint() : 0
  const fields: number[] = []
  for (let field = 0; field < FIELD_COUNT; field++)
    fields.push((present & (1 << field)) === 0 ? 0 : pages === 1 ? 1 : reader.varint())
  return { stats: { pages, chunks, fields }, present, windowed: (head & 1) === 1, entries: reader.at }
}

export type PostingsVisitor = {
  page(page: number, fields: number): void
  chunk(chunk: number, byte: number): void
}

/** Visits all occurrences of a term, as they were given to `PostingsWriter`. */
export function visitPostings(bytes: Uint8Array, start: number, to: number, visitor: PostingsVisitor): void {
  const end = Math.min(to, bytes.length)
  const { windowed, entries } = readPostingsHeader(bytes, start)
  const reader = new ByteReader(bytes, entries)
  if (!windowed) return visitEntries(reader, end, 0, visitor)
  for (let window = 0; reader.at < end; window++) {
    window += reader.varint()
    reader.at += 3
    const length = reader.varint()
    visitEntries(reader, reader.at + length, window << WINDOW_BITS, visitor)
  }
}

function visitEntries(reader: ByteReader, end: number, firstPage: number, visitor: PostingsVisitor): void {
  for (let page = firstPage; reader.at < end; page++) {
    const head = reader.varint()
    page += head >>> 2
    visitor.page(page, head & 2 ? reader.byte() : 0)
    if ((head & 1) === 0) continue
    for (let chunk = 0, last = false; !last && reader.at < end; chunk++) {
      const entry = reader.varint()
      chunk += entry >>> 2
      last = (entry & 2) !== 0
      visitor.chunk(chunk, entry & 1 ? PLAIN : reader.byte())
    }
  }
}
