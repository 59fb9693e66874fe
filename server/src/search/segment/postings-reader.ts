import { ByteReader } from './byte-reader.ts'
import { PLAIN } from './field-codes.ts'
import { FIELD_COUNT } from './layout.ts'
import { HAS_CHUNKS, HAS_FIELDS } from './postings-format.ts'

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
