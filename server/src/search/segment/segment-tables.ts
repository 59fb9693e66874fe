import { type Chunk, codeIn } from '#search/page.ts'
import { ByteWriter, GrowingWords, StringTableWriter } from './bytes.ts'
import { DictionaryWriter, sortKeys } from './dictionary.ts'
import { type Counters, COUNTERS, FIELD_COUNT, PAGE_FIELDS, SECTION, type SectionName } from './layout.ts'
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
  /** Result of `TemplateHash`. */
  template: number
}

export type SegmentPageRow = {
  language: string | null
  version?: string | null | undefined
  /** Length codes in the order of `PAGE_FIELDS`. */
  lengths: readonly number[]
  /** Result of `anchorChecksum`. */
  anchors: number
  /** Opening marks of its first content words, in order. */
  opening: Iterable<number>
}

/** Builds the tables of a segment: pages, chunks and display data. Add the chunks of a page before the page. */
export class SegmentTables {
  /** By name of their section. */
  readonly #tables = {
    pageChunks: new GrowingWords(),
    pageLengths: new ByteWriter(),
    pageLanguages: new ByteWriter(),
    pageVersions: new ByteWriter(),
    anchorChecksums: new GrowingWords(),
    recordOffsets: new GrowingWords(),
    records: new ByteWriter(1 << 14),
    chunkLengths: new ByteWriter(),
    chunkHeadingLengths: new ByteWriter(),
    chunkCode: new ByteWriter(),
    fingerprints: new GrowingWords(),
    languages: new StringTableWriter(),
    versions: new StringTableWriter(),
    codeSets: new StringTableWriter(),
    codeLanguages: new StringTableWriter(),
    headings: new StringTableWriter(),
    urlPrefix: new StringTableWriter(),
    markOffsets: new GrowingWords(),
    marks: new ByteWriter(1 << 14),
    openingOffsets: new GrowingWords(),
    openings: new ByteWriter(1 << 12),
    templates: new GrowingWords(),
  }
  readonly #counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Counters
  #urlPrefix: string | null = null

  constructor() {
    this.#tables.pageChunks.push(0)
    this.#tables.recordOffsets.push(0)
    this.#tables.markOffsets.push(0)
    this.#tables.openingOffsets.push(0)
  }

  get pageCount(): number {
    return this.#counters.pages
  }

  get chunkCount(): number {
    return this.#counters.chunks
  }

  /** First chunk of each page so far, followed by the number of chunks. */
  pageChunks(): Uint32Array {
    return this.#tables.pageChunks.view()
  }

  addChunk({ length, headingWords, codeSet, low, high, marks, template }: ChunkRow): void {
    const tables = this.#tables
    tables.chunkLengths.byte(length)
    tables.chunkHeadingLengths.byte(Math.min(headingWords, 255))
    // A byte cannot number all combinations of languages. The excess counts as code of an unknown language.
    const set = tables.codeSets.id(codeSet)
    tables.chunkCode.byte(set < 256 ? set : tables.codeSets.id('?'))
    tables.fingerprints.push(low)
    tables.fingerprints.push(high)
    tables.templates.push(template)
    tables.marks.bytes(marks)
    tables.markOffsets.push(tables.marks.length)
    this.#counters.chunks += 1
    this.#counters.chunkWords += LENGTHS[length]
  }

  addPage(record: PageRecord, { language, version, lengths, anchors, opening }: SegmentPageRow): void {
    const tables = this.#tables
    this.#urlPrefix ??= originOf(record.url)
    writePageRecord(tables.records, record, {
      headings: (text) => tables.headings.id(text),
      codeLanguages: (text) => tables.codeLanguages.id(text),
      urlPrefix: this.#urlPrefix,
    })
    tables.recordOffsets.push(tables.records.length)
    tables.pageChunks.push(this.#counters.chunks)
    tables.anchorChecksums.push(anchors)
    tables.pageLanguages.byte(Math.min(tables.languages.id(language ?? ''), 255))
    const own = tables.versions.id(version ?? '')
    // A byte cannot number all combinations of versions. The excess counts as pages without any.
    tables.pageVersions.byte(own < 256 ? own : 0)
    for (const [index, field] of PAGE_FIELDS.entries()) {
      const code = lengths[index]
      tables.pageLengths.byte(code)
      this.#counters[field] += LENGTHS[code]
    }
    for (const mark of opening) {
      tables.openings.byte(mark & 255)
      tables.openings.byte(mark >>> 8)
    }
    tables.openingOffsets.push(tables.openings.length >>> 1)
    this.#counters.pages += 1
  }

  /** Returns the bytes of the segment with these terms, and words in their written form. */
  finish(terms: WrittenPostings, forms: string[]): Uint8Array<ArrayBuffer> {
    this.#tables.urlPrefix.id(this.#urlPrefix ?? '')
    const formKeys = new DictionaryWriter()
    for (const form of sortKeys(forms)) formKeys.add(form, 0)
    const { blocks: formBlocks, keys } = formKeys.finish()
    const tables = Object.entries(this.#tables).map(([name, table]) => [name, table.view()] as const)
    const sections: Partial<Record<SectionName, ArrayBufferView>> = {
      ...Object.fromEntries(tables),
      pageLengths: byField(this.#tables.pageLengths.view()),
      templatePages: countPages(this.#tables.templates.view(), this.pageChunks()),
      counters: Float64Array.from(COUNTERS, (name) => this.#counters[name]),
      termBlocks: terms.blocks,
      terms: terms.keys,
      postings: terms.postings,
      formBlocks,
      forms: keys,
    }
    // Names are those of `SECTION`.
    return writeSections(new Map(Object.entries(sections).map(([name, data]) => [SECTION[name as SectionName], data])))
  }
}

/** The set of a chunk's code languages, in the format of `ChunkRow`. */
export function codeSetOf({ blocks }: Chunk): string {
  return [...new Set(codeIn(blocks).map(({ language }) => language ?? '?'))].toSorted().join(' ')
}

/** For each chunk, the number of pages with its template, at most 255, and 0 without one. */
function countPages(templates: Uint32Array, pageChunks: Uint32Array): Uint8Array {
  const counts = new Map<number, { pages: number; last: number }>()
  for (let page = 0; page + 1 < pageChunks.length; page++)
    for (let chunk = pageChunks[page]; chunk < pageChunks[page + 1]; chunk++) {
      const template = templates[chunk]
      if (template === 0) continue
      const known = counts.get(template)
      if (known === undefined) counts.set(template, { pages: 1, last: page })
      else if (known.last !== page) {
        known.pages += 1
        known.last = page
      }
    }
  return Uint8Array.from(templates, (template) => Math.min(255, counts.get(template)?.pages ?? 0))
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
