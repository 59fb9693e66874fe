import { type Chunk, codeIn } from '#search/page.ts'
import { ByteWriter, GrowingWords, StringTableWriter } from './bytes.ts'
import { DictionaryWriter, sortKeys } from './dictionary.ts'
import { type Counters, COUNTERS, FIELD_COUNT, PAGE_FIELDS, SECTION } from './layout.ts'
import { LENGTHS } from './field-codes.ts'
import { type PageRecord, writePageRecord } from './page-record.ts'
import type { WrittenPostings } from './postings-log.ts'
import { writeSections } from './sections.ts'

export type ChunkRow = {
  /** Length code of body and code. */
  length: number
  headingWords: number
  /** Languages of the chunk's code, joined with a space. Empty without code, `?` for an unknown language. */
  codeSet: string
  /** SimHash in two halves. */
  low: number
  high: number
  /** Marks of the content words, in order. */
  marks: Uint8Array
}

export type SegmentPageRow = {
  language: string | null
  /** Length codes in the order of `PAGE_FIELDS`. */
  lengths: readonly number[]
  /** Result of `anchorChecksum`. */
  anchors: number
  /** Opening marks of its first content words, in order. */
  opening: Iterable<number>
}

export type FinishParts = {
  forms: string[]
  terms: WrittenPostings
}

/** Builds the tables of a segment: pages, chunks and display data. Add the chunks of a page before the page. */
export class SegmentTables {
  readonly #pageChunks = new GrowingWords()
  readonly #pageLengths = new ByteWriter()
  readonly #pageLanguages = new ByteWriter()
  readonly #anchorChecksums = new GrowingWords()
  readonly #recordOffsets = new GrowingWords()
  readonly #records = new ByteWriter(1 << 14)
  readonly #chunkLengths = new ByteWriter()
  readonly #chunkHeadings = new ByteWriter()
  readonly #chunkCode = new ByteWriter()
  readonly #fingerprints = new GrowingWords()
  readonly #markOffsets = new GrowingWords()
  readonly #marks = new ByteWriter(1 << 14)
  readonly #openingOffsets = new GrowingWords()
  readonly #openings = new ByteWriter(1 << 12)
  readonly #languages = new StringTableWriter()
  readonly #codeSets = new StringTableWriter()
  readonly #codeLanguages = new StringTableWriter()
  readonly #headings = new StringTableWriter()
  readonly #counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters
  #urlPrefix: string | null = null

  constructor() {
    this.#pageChunks.push(0)
    this.#recordOffsets.push(0)
    this.#markOffsets.push(0)
    this.#openingOffsets.push(0)
  }

  get pageCount(): number {
    return this.#counters.pages
  }

  get chunkCount(): number {
    return this.#counters.chunks
  }

  /** First chunk of each page so far, followed by the number of chunks. */
  pageChunks(): Uint32Array {
    return this.#pageChunks.view()
  }

  addChunk({ length, headingWords, codeSet, low, high, marks }: ChunkRow): void {
    this.#chunkLengths.byte(length)
    this.#chunkHeadings.byte(Math.min(headingWords, 255))
    // A byte cannot number all combinations of languages. The excess counts as code of an unknown language.
    const set = this.#codeSets.id(codeSet)
    this.#chunkCode.byte(set < 256 ? set : this.#codeSets.id('?'))
    this.#fingerprints.push(low)
    this.#fingerprints.push(high)
    this.#marks.bytes(marks)
    this.#markOffsets.push(this.#marks.length)
    this.#counters.chunks += 1
    this.#counters.chunkWords += LENGTHS[length]
  }

  addPage(record: PageRecord, { language, lengths, anchors, opening }: SegmentPageRow): void {
    this.#urlPrefix ??= originOf(record.url)
    writePageRecord(this.#records, record, {
      headings: (text) => this.#headings.id(text),
      codeLanguages: (text) => this.#codeLanguages.id(text),
      urlPrefix: this.#urlPrefix,
    })
    this.#recordOffsets.push(this.#records.length)
    this.#pageChunks.push(this.#counters.chunks)
    this.#anchorChecksums.push(anchors)
    this.#pageLanguages.byte(Math.min(this.#languages.id(language ?? ''), 255))
    for (const [index, field] of PAGE_FIELDS.entries()) {
      const code = lengths[index]
      this.#pageLengths.byte(code)
      this.#counters[field] += LENGTHS[code]
    }
    for (const mark of opening) {
      this.#openings.byte(mark & 255)
      this.#openings.byte(mark >>> 8)
    }
    this.#openingOffsets.push(this.#openings.length >>> 1)
    this.#counters.pages += 1
  }

  /** Returns the bytes of the segment. */
  finish({ forms, terms }: FinishParts): Uint8Array<ArrayBuffer> {
    const urlPrefix = new StringTableWriter()
    urlPrefix.id(this.#urlPrefix ?? '')
    const formKeys = new DictionaryWriter()
    for (const form of sortKeys(forms)) formKeys.add(form, 0)
    const written = formKeys.finish()
    return writeSections([
      { id: SECTION.counters, data: Float64Array.from(COUNTERS, (name) => this.#counters[name]) },
      { id: SECTION.termBlocks, data: terms.blocks },
      { id: SECTION.terms, data: terms.keys },
      { id: SECTION.postings, data: terms.postings },
      { id: SECTION.pageChunks, data: this.#pageChunks.view() },
      { id: SECTION.pageLengths, data: byField(this.#pageLengths.view()) },
      { id: SECTION.pageLanguages, data: this.#pageLanguages.view() },
      { id: SECTION.anchorChecksums, data: this.#anchorChecksums.view() },
      { id: SECTION.recordOffsets, data: this.#recordOffsets.view() },
      { id: SECTION.records, data: this.#records.view() },
      { id: SECTION.chunkLengths, data: this.#chunkLengths.view() },
      { id: SECTION.chunkHeadingLengths, data: this.#chunkHeadings.view() },
      { id: SECTION.chunkCode, data: this.#chunkCode.view() },
      { id: SECTION.fingerprints, data: this.#fingerprints.view() },
      { id: SECTION.languages, data: this.#languages.finish() },
      { id: SECTION.codeSets, data: this.#codeSets.finish() },
      { id: SECTION.codeLanguages, data: this.#codeLanguages.finish() },
      { id: SECTION.headings, data: this.#headings.finish() },
      { id: SECTION.urlPrefix, data: urlPrefix.finish() },
      { id: SECTION.formBlocks, data: written.blocks },
      { id: SECTION.forms, data: written.keys },
      { id: SECTION.markOffsets, data: this.#markOffsets.view() },
      { id: SECTION.marks, data: this.#marks.view() },
      { id: SECTION.openingOffsets, data: this.#openingOffsets.view() },
      { id: SECTION.openings, data: this.#openings.view() },
    ])
  }
}

/** The set of a chunk's code languages, in the format of `ChunkRow`. */
export function codeSetOf({ blocks }: Chunk): string {
  return [...new Set(codeIn(blocks).map(({ language }) => language ?? '?'))].toSorted().join(' ')
}

function originOf(url: string): string {
  const origin = URL.parse(url)?.origin
  return origin === undefined || origin === 'null' ? '' : `${origin}/`
}

/** Transposes from page-major to field-major order, for locality in scoring. */
function byField(byPage: Uint8Array): Uint8Array {
  const pages = byPage.length / FIELD_COUNT
  const out = new Uint8Array(byPage.length)
  for (let page = 0; page < pages; page++)
    for (let field = 0; field < FIELD_COUNT; field++) out[field * pages + page] = byPage[page * FIELD_COUNT + field]
  return out
}
