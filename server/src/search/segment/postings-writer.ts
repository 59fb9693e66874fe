import { ByteWriter } from './byte-writer.ts'
import { PLAIN } from './field-codes.ts'
import { FIELD_COUNT } from './layout.ts'
import { chunkFieldBits, HAS_CHUNKS, HAS_FIELDS, pageFieldBits } from './postings-format.ts'

/**
 * Collects the occurrences of one term, pages and chunks ascending, and writes them in the format of
 * postings-format.ts.
 */
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
