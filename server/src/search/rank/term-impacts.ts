import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { ANCHORS_LEVELS, HEADINGS_LEVELS, PLAIN, TITLE_LEVELS } from '#search/segment/field-codes.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { FieldReader, NO_PAGE, type PostingsHeader, readPostingsHeader } from '#search/segment/postings-reader.ts'
import type { Weights } from '#search/weights.ts'
import type { Frequencies, Norms } from './norms.ts'

/** What an occurrence of a term is worth by the term's rarity in a corpus. */
export type TermRarity = {
  chunkIdf: number
  /** Inverse document frequency × weight of the field, in the order of `PAGE_FIELDS`. */
  fields: readonly number[]
}

/** Pages of a window in powers of two: enough of them to bound what the window can score, and to pass over it. */
export const WINDOW_BITS = 6

/** What is the same for all terms of a corpus. */
export type Scoring = { norms: Norms; frequencies: Frequencies; weights: Weights }

/**
 * What a term adds to the scores of pages and chunks of one segment: its postings, read and weighed (impacts; Anh and
 * Moffat 2002). Pages and chunks ascend, in windows of 2^`WINDOW_BITS` pages.
 */
export type TermImpacts = {
  /** How many windows have it, and their numbers. */
  windowCount: number
  windows: Uint32Array
  /** By window, where its pages and its chunks begin in the lists below; one more says where the last ones end. */
  pageStarts: Uint32Array
  chunkStarts: Uint32Array
  /** By window, the most that it adds to one page and to one chunk. */
  pageMost: Float32Array
  chunkMost: Float32Array
  /** Numbers in the segment, with `MARK` where it is in the page's title. */
  pages: Int32Array
  pageValues: Float32Array
  /** Numbers in the segment, with `MARK` where it is in the chunk's own heading. */
  chunks: Int32Array
  chunkValues: Float32Array
}

/** The sign, so that a look tells. */
export const MARK = 1 << 31

/** Numbers of fields, as `PAGE_FIELDS` has them. */
const FIELD = { title: 0, headings: 1, anchors: 2, path: 3, text: 4, parts: 5 } as const

/** A part of an identifier in a title counts like two passages that have it. */
const TITLE_PARTS = 2

/** Reads and weighs a term's postings. What is damaged gives other numbers, but no more of them than it has bytes. */
export function makeImpacts(
  segment: Segment,
  { start, end: to }: Pick<DictionaryEntry, 'start' | 'end'>,
  rarity: TermRarity,
  scoring: Scoring,
): TermImpacts {
  const bytes = segment.postings
  const end = Math.min(to, bytes.length)
  const header = readPostingsHeader(bytes, start)
  const impacts = allocateImpacts(segment, header, end)
  new ImpactReader(segment, impacts, rarity, scoring).read(header, end)
  return impacts
}

/** What impacts take in memory. */
export function impactBytes({ windows, pages, chunks }: TermImpacts): number {
  return OBJECT_BYTES + windows.length * 20 + (pages.length + chunks.length) * 8
}

/** Of ten typed arrays and what holds them. */
const OBJECT_BYTES = 1_200

function allocateImpacts(
  { pageCount, chunkCount }: Segment,
  { stats, fields }: PostingsHeader,
  end: number,
): TermImpacts {
  const most = Math.max(0, end - fields)
  const pages = Math.min(stats.pages, pageCount, most)
  const chunks = Math.min(stats.chunks, chunkCount, most)
  const windows = Math.min(pages, ((pageCount - 1) >> WINDOW_BITS) + 1)
  return {
    windowCount: 0,
    windows: new Uint32Array(windows),
    pageStarts: new Uint32Array(windows + 1),
    chunkStarts: new Uint32Array(windows + 1),
    pageMost: new Float32Array(windows),
    chunkMost: new Float32Array(windows),
    pages: new Int32Array(pages),
    pageValues: new Float32Array(pages),
    chunks: new Int32Array(chunks),
    chunkValues: new Float32Array(chunks),
  }
}

/** Fills impacts from postings as they stand in postings-format.ts. */
class ImpactReader {
  readonly #segment: Segment
  readonly #impacts: TermImpacts
  readonly #rarity: TermRarity
  readonly #scoring: Scoring
  #pages = 0
  #chunks = 0

  constructor(segment: Segment, impacts: TermImpacts, rarity: TermRarity, scoring: Scoring) {
    this.#segment = segment
    this.#impacts = impacts
    this.#rarity = rarity
    this.#scoring = scoring
  }

  /** The loop runs once for each occurrence, hence its length and its plain variables. */
  read(header: Pick<PostingsHeader, 'fields' | 'chunks'>, end: number): void {
    const { postings: bytes, chunkPages, chunkLengths, chunkCount } = this.#segment
    const { chunks, chunkValues } = this.#impacts
    const { frequencies, norms, weights } = this.#scoring
    const { chunk: chunkFrequency, text: textFrequency } = frequencies
    const { chunk: chunkNorms, plain } = norms
    const { k1, title: titleWeight } = weights.chunk
    const chunkValue = this.#rarity.chunkIdf * (k1 + 1)
    const ofFields = new FieldReader(bytes, header.fields, Math.min(header.chunks, end))
    let found = 0
    let page = -1
    let fields = 0
    let titleFrequency = 0
    let text = 0
    let parts = 0
    let most = 0
    for (let at = header.chunks, chunk = 0; at < end; chunk++) {
      let byte = bytes[at++] ?? 0
      let head = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        head |= (byte & 127) << shift
      }
      chunk += head >>> 1
      // Only in a segment that is damaged.
      if (chunk >= chunkCount) break
      const on = chunkPages[chunk] ?? 0
      if (on !== page) {
        this.#chunks = found
        if (page >= 0) this.#addPage(page, fields, this.#weighPage(page, fields, text, parts), most)
        page = on
        if (ofFields.page < page) this.#readFieldsBefore(page, ofFields)
        fields = ofFields.page === page ? ofFields.take() : 0
        titleFrequency = titleWeight * (TITLE_LEVELS[fields & 3] ?? 0)
        text = parts = most = 0
      }
      const where = head & 1 ? (bytes[at++] ?? 0) : PLAIN
      const length = chunkLengths[chunk] ?? 0
      let value: number
      if (where === PLAIN && titleFrequency === 0) value = chunkValue * (plain[length] ?? 0)
      else {
        const frequency = (chunkFrequency[where] ?? 0) + titleFrequency
        value = (chunkValue * frequency) / (frequency + (chunkNorms[length] ?? 0))
      }
      if (value > most) most = value
      chunks[found] = (where & 0x60) === 0x40 ? chunk | MARK : chunk
      chunkValues[found++] = value
      text += textFrequency[where] ?? 0
      if (where > 127) parts++
    }
    this.#chunks = found
    if (page >= 0) this.#addPage(page, fields, this.#weighPage(page, fields, text, parts), most)
    this.#readFieldsBefore(NO_PAGE, ofFields)
  }

  /** Pages that have the term in no passage. */
  #readFieldsBefore(page: number, ofFields: FieldReader): void {
    for (; ofFields.page < page; ofFields.next()) {
      const { page: other, byte } = ofFields
      this.#addPage(other, byte, this.#weighPage(other, byte, 0, 0), 0)
    }
  }

  #addPage(page: number, fields: number, value: number, chunkMost: number): void {
    const impacts = this.#impacts
    const window = page >> WINDOW_BITS
    let last = impacts.windowCount - 1
    if (last < 0 || impacts.windows[last] !== window) {
      last = impacts.windowCount++
      impacts.windows[last] = window
    }
    impacts.pages[this.#pages] = (fields & 3) === 0 ? page : page | MARK
    impacts.pageValues[this.#pages++] = value
    impacts.pageStarts[last + 1] = this.#pages
    impacts.chunkStarts[last + 1] = this.#chunks
    if (value > (impacts.pageMost[last] ?? 0)) impacts.pageMost[last] = value
    if (chunkMost > (impacts.chunkMost[last] ?? 0)) impacts.chunkMost[last] = chunkMost
  }

  /** The sum of BM25+ over the fields that the page has the term in. */
  #weighPage(page: number, fields: number, text: number, parts: number): number {
    let sum = 0
    if (text > 0) sum += this.#field(FIELD.text, page, text)
    const inParts = parts + (fields > 127 ? TITLE_PARTS : 0)
    if (inParts > 0) sum += this.#field(FIELD.parts, page, inParts)
    if (fields === 0) return sum
    const title = TITLE_LEVELS[fields & 3] ?? 0
    if (title > 0) sum += this.#field(FIELD.title, page, title)
    const headings = HEADINGS_LEVELS[(fields >> 2) & 3] ?? 0
    if (headings > 0) sum += this.#field(FIELD.headings, page, headings)
    const anchors = ANCHORS_LEVELS[(fields >> 4) & 3] ?? 0
    if (anchors > 0) sum += this.#field(FIELD.anchors, page, anchors)
    if (fields & 64) sum += this.#field(FIELD.path, page, 1)
    return sum
  }

  /** BM25+ of the term in one field. */
  #field(field: number, page: number, frequency: number): number {
    const { pageLengths, pageCount } = this.#segment
    const { norms, weights } = this.#scoring
    const { k1, delta } = weights.page
    const length = norms.page[field]?.[pageLengths[field * pageCount + page] ?? 0] ?? 0
    return (this.#rarity.fields[field] ?? 0) * (((k1 + 1) * frequency) / (frequency + length) + delta)
  }
}
