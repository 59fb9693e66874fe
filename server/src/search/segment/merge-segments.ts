import { anchorChecksum } from './hashes.ts'
import { ByteWriter } from './bytes.ts'
import { type DictionaryEntry, DictionaryWriter, sortKeys } from './dictionary.ts'
import { FIELD_COUNT, PAGE_FIELDS } from './layout.ts'
import { lengthCode, PAGE_BITS, pageByte } from './field-codes.ts'
import type { Segment } from './open-segment.ts'
import type { WrittenPostings } from './postings-log.ts'
import { visitPostings, PostingsWriter } from './postings.ts'
import { SegmentTables } from './segment-tables.ts'
import { MAX_ANCHOR_TEXTS } from './segment-builder.ts'
import { Vocabulary } from './vocabulary.ts'

const ANCHORS = PAGE_FIELDS.indexOf('anchors')

/** Decisions of a merge about each page. */
export type MergeChoice = {
  keep: (segment: Segment, page: number) => boolean
  /** New link texts of the page, or null to keep the indexed ones. */
  anchorTexts: (segment: Segment, page: number) => readonly string[] | null
  /** Copies of the page in other versions. Default: the indexed ones. */
  copies?: (segment: Segment, page: number) => readonly string[]
}

/** A segment with the new numbers of its pages, -1 for omitted ones. */
type Mapped = { segment: Segment; pages: Int32Array }

/** New link texts of pages in a merge, which replace the indexed ones. */
class NewAnchors {
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

/**
 * Merges segments with the pages to keep. Analyses only new link texts. The result equals a build of the same pages in
 * the same order, with two exceptions: it keeps written forms of removed words, and identifier parts of removed link
 * texts.
 */
export function mergeSegments(segments: readonly Segment[], choice: MergeChoice): Uint8Array<ArrayBuffer> {
  const tables = new SegmentTables()
  const anchors = new NewAnchors()
  const mapped = segments.map((segment) => ({ segment, pages: copyPages({ tables, anchors, choice }, segment) }))
  const forms = new Set<string>(anchors.forms)
  for (const { forms: dictionary } of segments) dictionary.walk((form) => forms.add(form))
  return tables.finish(mergePostings(mapped, anchors, tables.pageChunks()), [...forms])
}

const copiesOf = (segment: Segment, page: number): readonly string[] => segment.copies(page)

type Into = { tables: SegmentTables; anchors: NewAnchors; choice: MergeChoice }

function copyPages({ tables, anchors, choice }: Into, segment: Segment): Int32Array {
  const pages = new Int32Array(segment.pageCount).fill(-1)
  for (let page = 0; page < segment.pageCount; page++) {
    if (!choice.keep(segment, page)) continue
    const to = tables.pageCount
    pages[page] = to
    for (let chunk = segment.pageChunks[page]; chunk < segment.pageChunks[page + 1]; chunk++)
      tables.addChunk({
        length: segment.chunkLengths[chunk],
        headingWords: segment.chunkHeadingLengths[chunk],
        codeSet: segment.codeSet(segment.chunkCode[chunk]),
        low: segment.fingerprints[chunk * 2],
        high: segment.fingerprints[chunk * 2 + 1],
        marks: segment.marks.subarray(segment.markOffsets[chunk], segment.markOffsets[chunk + 1]),
        template: segment.templates[chunk],
      })
    const language = segment.language(segment.pageLanguages[page]) || null
    const texts = choice.anchorTexts(segment, page)
    const lengths = Array.from(
      { length: FIELD_COUNT },
      (_, field) => segment.pageLengths[field * segment.pageCount + page],
    )
    if (texts !== null) lengths[ANCHORS] = lengthCode(anchors.add(to, language, texts))
    tables.addPage(segment.record(page), {
      language,
      version: [segment.toldVersion(page) ?? '', ...(choice.copies ?? copiesOf)(segment, page)].join(' '),
      lengths,
      opening: segment.openings.subarray(segment.openingOffsets[page], segment.openingOffsets[page + 1]),
      anchors: texts === null ? segment.anchorChecksums[page] : anchorChecksum(texts),
    })
  }
  return pages
}

/** Writes postings with the old link texts of pages replaced by new ones. */
class AnchoredWriter {
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
    let byte = this.#anchors.has(page) ? fields & ~PAGE_BITS.anchors : fields
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

function mergePostings(mapped: readonly Mapped[], anchors: NewAnchors, pageChunks: Uint32Array): WrittenPostings {
  const places = new Map<string, (DictionaryEntry | undefined)[]>()
  for (const [index, { segment }] of mapped.entries())
    segment.terms.walk((term, entry) => {
      let entries = places.get(term)
      if (entries === undefined) {
        entries = []
        places.set(term, entries)
      }
      entries[index] = entry
    })
  for (const term of anchors.terms()) if (!places.has(term)) places.set(term, [])
  const dictionary = new DictionaryWriter()
  const writer = new AnchoredWriter(new PostingsWriter(pageChunks), anchors)
  const out = new ByteWriter(1 << 16)
  for (const term of sortKeys([...places.keys()])) {
    writer.begin(term)
    for (const [index, entry] of (places.get(term) ?? []).entries()) {
      const from = mapped[index]
      if (entry === undefined || from === undefined) continue
      copyPostings(writer, from.pages, from.segment, entry)
    }
    const length = writer.finish(out)
    if (length > 0) dictionary.add(term, length)
  }
  return { ...dictionary.finish(), postings: out.view() }
}

function copyPostings(writer: AnchoredWriter, pages: Int32Array, from: Segment, entry: DictionaryEntry): void {
  let kept = false
  visitPostings(from, entry, {
    page: (page, fields) => {
      const to = pages[page] ?? -1
      kept = to >= 0
      if (kept) writer.page(to, fields)
    },
    chunk: (chunk, byte) => {
      if (kept) writer.chunk(chunk, byte)
    },
  })
}

type Occurrence = { page: number; byte: number }
