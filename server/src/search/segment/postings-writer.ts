import { ByteWriter } from './byte-writer.ts'
import { bodyCount, codeCount, hasPart, PLAIN } from './field-codes.ts'
import { FIELD_COUNT } from './layout.ts'
import { FIELD_BIT, HAS_CHUNKS, maxChunkByte, pageFieldBits, WINDOW_BITS, WINDOWED_FROM } from './postings-format.ts'

/** What the bounds of a window are made of. */
export type ChunkTable = { pageChunks: Uint32Array; chunkLengths: Uint8Array }

/** Collects one term's occurrences, pages and chunks ascending, and writes them in the form of postings-format.ts. */
export class PostingsWriter {
  readonly #table: ChunkTable
  readonly #scratch = new ByteWriter()
  readonly #pages: number[] = []
  readonly #fields: number[] = []
  /** Per page, where its chunks end in the two lists of chunks. */
  readonly #ends: number[] = []
  readonly #chunks: number[] = []
  readonly #bytes: number[] = []

  constructor(table: ChunkTable) {
    this.#table = table
  }

  /** Begins a page; `fields` as `pageByte` makes it. */
  page(page: number, fields: number): void {
    this.#pages.push(page)
    this.#fields.push(fields)
    this.#ends.push(this.#chunks.length)
  }

  /** A chunk of the page begun last, counted from the page's first; `byte` as `chunkByte` makes it. */
  chunk(chunk: number, byte: number): void {
    this.#chunks.push(chunk)
    this.#bytes.push(byte)
    this.#ends[this.#ends.length - 1] = this.#chunks.length
  }

  /** Writes what was collected and begins anew. Returns the number of bytes written; none for a term without pages. */
  finish(out: ByteWriter): number {
    const before = out.length
    const count = this.#pages.length
    if (count > 0) {
      const windowed = count >= WINDOWED_FROM
      this.#writeHeader(out, windowed)
      if (windowed) this.#writeWindows(out)
      else this.#writeEntries(out, 0, count, 0)
    }
    for (const list of [this.#pages, this.#fields, this.#ends, this.#chunks, this.#bytes]) list.length = 0
    return out.length - before
  }

  #writeHeader(out: ByteWriter, windowed: boolean): void {
    const counts = new Array<number>(FIELD_COUNT).fill(0)
    for (let index = 0; index < this.#pages.length; index++) {
      const bits = this.#bitsOf(index)
      for (let field = 0; field < FIELD_COUNT; field++)
        if (bits & (1 << field)) counts[field] = (counts[field] ?? 0) + 1
    }
    let present = this.#chunks.length > 0 ? HAS_CHUNKS : 0
    for (let field = 0; field < FIELD_COUNT; field++) if (counts[field]) present |= 1 << field
    out.varint((this.#pages.length << 1) | (windowed ? 1 : 0))
    out.byte(present)
    if (this.#chunks.length > 0) out.varint(this.#chunks.length)
    if (this.#pages.length > 1) for (const count of counts) if (count > 0) out.varint(count)
  }

  #writeWindows(out: ByteWriter): void {
    let next = 0
    for (let from = 0; from < this.#pages.length;) {
      const window = (this.#pages[from] ?? 0) >> WINDOW_BITS
      let to = from
      while (to < this.#pages.length && (this.#pages[to] ?? 0) >> WINDOW_BITS === window) to++
      out.varint(window - next)
      this.#writeBounds(out, from, to)
      this.#scratch.clear()
      this.#writeEntries(this.#scratch, from, to, window << WINDOW_BITS)
      out.varint(this.#scratch.length)
      out.bytes(this.#scratch.view())
      next = window + 1
      from = to
    }
  }

  #writeBounds(out: ByteWriter, from: number, to: number): void {
    const { pageChunks, chunkLengths } = this.#table
    let bits = 0
    let most = 0
    let shortest = 255
    for (let index = from; index < to; index++) {
      bits |= this.#bitsOf(index)
      const first = pageChunks[this.#pages[index] ?? 0] ?? 0
      for (let at = this.#ends[index - 1] ?? 0; at < (this.#ends[index] ?? 0); at++) {
        most = maxChunkByte(most, this.#bytes[at] ?? 0)
        shortest = Math.min(shortest, chunkLengths[first + (this.#chunks[at] ?? 0)] ?? 0)
      }
    }
    out.byte(bits)
    out.byte(most)
    out.byte(shortest)
  }

  #writeEntries(out: ByteWriter, from: number, to: number, firstPage: number): void {
    let next = firstPage
    for (let index = from; index < to; index++) {
      const page = this.#pages[index] ?? 0
      const fields = this.#fields[index] ?? 0
      const start = this.#ends[index - 1] ?? 0
      const end = this.#ends[index] ?? 0
      out.varint(((page - next) << 2) | (fields === 0 ? 0 : 2) | (end > start ? 1 : 0))
      if (fields !== 0) out.byte(fields)
      this.#writeChunks(out, start, end)
      next = page + 1
    }
  }

  #writeChunks(out: ByteWriter, start: number, end: number): void {
    let next = 0
    for (let at = start; at < end; at++) {
      const chunk = this.#chunks[at] ?? 0
      const byte = this.#bytes[at] ?? 0
      out.varint(((chunk - next) << 2) | (at + 1 === end ? 2 : 0) | (byte === PLAIN ? 1 : 0))
      if (byte !== PLAIN) out.byte(byte)
      next = chunk + 1
    }
  }

  /** Fields of the page at `index` that the term occurs in. */
  #bitsOf(index: number): number {
    let bits = pageFieldBits(this.#fields[index] ?? 0)
    for (let at = this.#ends[index - 1] ?? 0; at < (this.#ends[index] ?? 0); at++) {
      const byte = this.#bytes[at] ?? 0
      if (bodyCount(byte) + codeCount(byte) > 0) bits |= FIELD_BIT.text
      if (hasPart(byte)) bits |= FIELD_BIT.parts
    }
    return bits
  }
}
