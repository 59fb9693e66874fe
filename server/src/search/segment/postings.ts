import { CHUNK_BITS, PAGE_BITS, PLAIN } from './field-codes.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { FIELD_COUNT } from './layout.ts'

/**
 * Postings of a term, all integers varints:
 *
 *     header   number of pages; byte of fields with the term (`FIELD_BIT`, `HAS_CHUNKS`, `HAS_FIELDS`); chunks,
 *              if any; for several pages, the number of pages per field; byte length of `fields`, if any
 *     fields   per page with the term in a field other than its chunks: gap; `pageByte`
 *     chunks   per chunk: gap << 1 | has byte; its byte (`chunkByte`) unless it is `PLAIN`
 *
 * A gap is the number of pages skipped, or of chunks skipped in the whole segment. The segment's table maps chunks to
 * pages: postings grouped by page would take twice as many bytes.
 */
export const FIELD_BIT = { title: 1, headings: 2, anchors: 4, path: 8, text: 16, parts: 32 } as const
const HAS_CHUNKS = 64
const HAS_FIELDS = 128

/** Bits of the fields set in a page's byte. */
function pageFieldBits(byte: number): number {
  return (
    (byte & PAGE_BITS.title ? FIELD_BIT.title : 0) |
    (byte & PAGE_BITS.headings ? FIELD_BIT.headings : 0) |
    (byte & PAGE_BITS.anchors ? FIELD_BIT.anchors : 0) |
    (byte & PAGE_BITS.path ? FIELD_BIT.path : 0) |
    (byte & PAGE_BITS.parts ? FIELD_BIT.parts : 0)
  )
}

/** Bits of the fields set in a chunk's byte. Headings above the chunk belong to its page. */
function chunkFieldBits(byte: number): number {
  return (byte & CHUNK_BITS.text ? FIELD_BIT.text : 0) | (byte & CHUNK_BITS.parts ? FIELD_BIT.parts : 0)
}

/** Frequency of a term, summed over segments. */
export type TermStats = {
  pages: number
  chunks: number
  /** Pages by field, in the order of `PAGE_FIELDS`. */
  fields: number[]
}

export type PostingsHeader = {
  stats: TermStats
  /** Start offsets of the page fields, and of the chunks after them. */
  fields: number
  chunks: number
}

/** Postings, and the tables that map chunks to pages. */
export type PostingsTables = { postings: Uint8Array; pageChunks: Uint32Array; chunkPages: Uint32Array }

/** Reads the header of a term's postings. */
export function readPostingsHeader(bytes: Uint8Array, start: number): PostingsHeader {
  const reader = new ByteReader(bytes, start)
  const pages = reader.varint()
  const present = reader.byte()
  const chunks = present & HAS_CHUNKS ? reader.varint() : 0
  const fields: number[] = []
  for (let field = 0; field < FIELD_COUNT; field++)
    fields.push((present & (1 << field)) === 0 ? 0 : pages === 1 ? 1 : reader.varint())
  const length = present & HAS_FIELDS ? reader.varint() : 0
  return { stats: { pages, chunks, fields }, fields: reader.at, chunks: reader.at + length }
}

export type PostingsVisitor = {
  page(page: number, fields: number): void
  /** A chunk of the last visited page, numbered from the page's first. */
  chunk(chunk: number, byte: number): void
}

/** Visits all occurrences of a term, in the form passed to `PostingsWriter`. */
export function visitPostings(
  { postings, pageChunks, chunkPages }: PostingsTables,
  { start, end: to }: { start: number; end: number },
  visitor: PostingsVisitor,
): void {
  const end = Math.min(to, postings.length)
  const header = readPostingsHeader(postings, start)
  const ofFields = new FieldReader(postings, header.fields, Math.min(header.chunks, end))
  const reader = new ByteReader(postings, header.chunks)
  let page = -1
  for (let chunk = 0; reader.at < end; chunk++) {
    const head = reader.varint()
    chunk += head >>> 1
    const on = chunkPages[chunk]
    // Only in a damaged segment.
    if (on === undefined) break
    if (on !== page) {
      for (page = on; ofFields.page < page; ofFields.next()) visitor.page(ofFields.page, ofFields.byte)
      visitor.page(page, ofFields.page === page ? ofFields.take() : 0)
    }
    visitor.chunk(chunk - pageChunks[page], head & 1 ? reader.byte() : PLAIN)
  }
  for (; ofFields.page < NO_PAGE; ofFields.next()) visitor.page(ofFields.page, ofFields.byte)
}

/** A page number above any other. */
export const NO_PAGE = 2 ** 30

/** Iterates the pages with a term in their fields. Reads 0 past the end of a damaged segment. */
export class FieldReader {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number
  /** Current page and its byte. `NO_PAGE` at the end. */
  page = -1
  byte = 0

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    this.next()
  }

  next(): void {
    let gap = 0
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0
      gap |= (byte & 127) << shift
    }
    this.page = this.#at < this.#end ? Math.min(NO_PAGE, this.page + 1 + (gap >>> 0)) : NO_PAGE
    this.byte = this.#bytes[this.#at++] ?? 0
  }

  /** Returns the byte of the current page and advances. */
  take(): number {
    const { byte } = this
    this.next()
    return byte
  }
}

/** Collects the occurrences of one term, pages and chunks ascending, and writes them in the format above. */
export class PostingsWriter {
  readonly #pageChunks: Uint32Array
  readonly #fields = new ByteWriter()
  readonly #chunks = new ByteWriter()
  readonly #fieldPages = new Array<number>(FIELD_COUNT).fill(0)
  #pages = 0
  #chunkCount = 0
  /** Field bits of the current page, and its first chunk. */
  #bits = 0
  #firstChunk = 0
  #nextFieldPage = 0
  #nextChunk = 0

  /** `pageChunks` is the table described in layout.ts. */
  constructor(pageChunks: Uint32Array) {
    this.#pageChunks = pageChunks
  }

  /** Starts a page. `fields` is a byte from `pageByte`. */
  page(page: number, fields: number): void {
    this.#endPage()
    this.#pages += 1
    this.#firstChunk = this.#pageChunks[page]
    if (fields === 0) return
    this.#bits = pageFieldBits(fields)
    this.#fields.varint(page - this.#nextFieldPage)
    this.#fields.byte(fields)
    this.#nextFieldPage = page + 1
  }

  /** Adds a chunk of the current page, numbered from the page's first. `byte` is from `chunkByte`. */
  chunk(chunk: number, byte: number): void {
    const number = this.#firstChunk + chunk
    this.#bits |= chunkFieldBits(byte)
    this.#chunks.varint(((number - this.#nextChunk) << 1) | (byte === PLAIN ? 0 : 1))
    if (byte !== PLAIN) this.#chunks.byte(byte)
    this.#nextChunk = number + 1
    this.#chunkCount += 1
  }

  /** Writes the collected postings and resets. Returns the number of bytes written, 0 for a term without pages. */
  finish(out: ByteWriter): number {
    const before = out.length
    this.#endPage()
    if (this.#pages > 0) {
      this.#writeHeader(out)
      out.bytes(this.#fields.view())
      out.bytes(this.#chunks.view())
    }
    this.#fields.clear()
    this.#chunks.clear()
    this.#fieldPages.fill(0)
    this.#pages = this.#chunkCount = this.#nextFieldPage = this.#nextChunk = 0
    return out.length - before
  }

  #endPage(): void {
    for (let field = 0; this.#bits >> field > 0; field++) if (this.#bits & (1 << field)) this.#fieldPages[field] += 1
    this.#bits = 0
  }

  #writeHeader(out: ByteWriter): void {
    let present = (this.#chunkCount > 0 ? HAS_CHUNKS : 0) | (this.#fields.length > 0 ? HAS_FIELDS : 0)
    for (const [field, pages] of this.#fieldPages.entries()) if (pages > 0) present |= 1 << field
    out.varint(this.#pages)
    out.byte(present)
    if (this.#chunkCount > 0) out.varint(this.#chunkCount)
    if (this.#pages > 1) for (const pages of this.#fieldPages) if (pages > 0) out.varint(pages)
    if (this.#fields.length > 0) out.varint(this.#fields.length)
  }
}
