import type { ByteWriter } from './byte-writer.ts'
import { pageByte, withoutAnchors } from './field-codes.ts'
import type { PostingsWriter } from './postings-writer.ts'
import { MAX_ANCHOR_TEXTS } from './segment-builder.ts'
import { Vocabulary } from './vocabulary.ts'

type Occurrence = { page: number; byte: number }

/** Texts of links that pages of a merge are given in place of those that they were indexed with. */
export class NewAnchors {
  readonly #vocabulary = new Vocabulary()
  /** By number of the term, pages ascending. */
  readonly #occurrences: Occurrence[][] = []
  readonly #pages = new Set<number>()

  get forms(): ReadonlySet<string> {
    return this.#vocabulary.forms
  }

  /** Pages are added in ascending order. Returns how many words the texts have. */
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

  /** Whether the page was given other texts. */
  has(page: number): boolean {
    return this.#pages.has(page)
  }

  terms(): string[] {
    return this.#vocabulary.terms()
  }

  /** The pages whose new texts have the term. */
  of(term: string): readonly Occurrence[] {
    return this.#occurrences[this.#vocabulary.find(term)] ?? []
  }
}

/** Writes postings with new anchors in the place of those that they were written with. */
export class AnchoredWriter {
  readonly #writer: PostingsWriter
  readonly #anchors: NewAnchors
  #added: readonly Occurrence[] = []
  #next = 0
  /** A page that is written only once a chunk of it comes: without its anchors it may have nothing of the term. */
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

  /** As `PostingsWriter.page`. */
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
