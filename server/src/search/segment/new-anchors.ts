import type { ByteWriter } from './byte-writer.ts'
import { pageByte, withoutAnchors } from './field-codes.ts'
import type { PostingsWriter } from './postings-writer.ts'
import { MAX_ANCHOR_TEXTS } from './segment-builder.ts'
import { Vocabulary } from './vocabulary.ts'

type Occurrence = { page: number; byte: number }

/** New link texts of pages in a merge, which replace the indexed ones. */
export class NewAnchors {
  readonly #vocabulary = new Vocabulary()
  /** By term number, pages ascending. */
  readonly #occurrences: Occurrence[][] = []
  readonly #pages = new Set<number>()

  get forms(): ReadonlySet<string> {
    return this.#vocabulary.forms
  }

  /** Adds a page; pages must ascend. Returns the number of words in its texts. */
  add(page: number, language: string | null, texts: readonly string[]): number {
    const counts = new Map<number, { anchors: number; part: boolean }>()
    const countOf = (term: number) => {
      const count = counts.get(term) ?? { anchors: 0, part: false }
      counts.set(term, count)
      return count
    }
    let words = 0
    for (const text of texts.slice(0, MAX_ANCHOR_TEXTS))
      this.#vocabulary.scan(language, text, [0, text.length], ({ term, joined, parts, telling }) => {
        if (term >= 0) countOf(term).anchors += 1
        for (const other of joined) countOf(other).anchors += 1
        for (const part of parts) countOf(part).part = true
        words += telling
      })
    for (const [term, { anchors, part }] of counts) {
      const list = (this.#occurrences[term] ??= [])
      list.push({ page, byte: pageByte(0, 0, anchors, false, part) })
    }
    this.#pages.add(page)
    return words
  }

  /** True if the page has new texts. */
  has(page: number): boolean {
    return this.#pages.has(page)
  }

  terms(): string[] {
    return this.#vocabulary.terms()
  }

  /** Pages with the term in their new texts. */
  of(term: string): readonly Occurrence[] {
    return this.#occurrences[this.#vocabulary.find(term)] ?? []
  }
}

/** Writes postings with the old link texts of pages replaced by new ones. */
export class AnchoredWriter {
  readonly #writer: PostingsWriter
  readonly #anchors: NewAnchors
  #added: readonly Occurrence[] = []
  #next = 0
  /** A page written only when a chunk follows: without its link texts it may not contain the term. */
  #bare = -1

  constructor(writer: PostingsWriter, anchors: NewAnchors) {
    this.#writer = writer
    this.#anchors = anchors
  }

  begin(term: string): void {
    this.#added = this.#anchors.of(term)
    this.#next = 0
    this.#bare = -1
  }

  /** Like `PostingsWriter.page`. */
  page(page: number, fields: number): void {
    this.#addUpTo(page)
    let byte = this.#anchors.has(page) ? withoutAnchors(fields) : fields
    const added = this.#added[this.#next]
    if (added?.page === page) {
      byte |= added.byte
      this.#next += 1
    }
    this.#bare = byte === 0 ? page : -1
    if (byte !== 0) this.#writer.page(page, byte)
  }

  chunk(chunk: number, byte: number): void {
    if (this.#bare >= 0) this.#writer.page(this.#bare, 0)
    this.#bare = -1
    this.#writer.chunk(chunk, byte)
  }

  finish(out: ByteWriter): number {
    this.#addUpTo(Number.POSITIVE_INFINITY)
    return this.#writer.finish(out)
  }

  #addUpTo(page: number): void {
    for (;;) {
      const added = this.#added[this.#next]
      if (added === undefined || added.page >= page) return
      this.#writer.page(added.page, added.byte)
      this.#next += 1
    }
  }
}
