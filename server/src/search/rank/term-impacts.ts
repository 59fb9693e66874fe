import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { ANCHORS_LEVELS, HEADINGS_LEVELS, PLAIN, TITLE_LEVELS } from '#search/segment/field-codes.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { FieldReader, NO_PAGE, type PostingsHeader, readPostingsHeader } from '#search/segment/postings.ts'
import type { Weights } from '#search/weights.ts'
import type { CorpusPart, Frequencies, Norms } from './corpus.ts'
import { MOST_CHUNK_VALUE, MOST_PAGE_VALUE, packChunk, packPage, WINDOW_CHUNKS } from './packed-impacts.ts'

/** Weights of a term by its rarity in a corpus. */
export type TermRarity = {
  chunkIdf: number
  /** Inverse document frequency × weight of the field, in the order of `PAGE_FIELDS`. */
  fields: readonly number[]
}

/** Scoring parameters shared by all terms of a corpus. */
export type Scoring = { norms: Norms; frequencies: Frequencies; weights: Weights }

/** A term's score contributions in a segment (impacts; Anh and Moffat 2002), in windows of 2^`windowBits` pages. */
export type TermImpacts = {
  /** Number of windows with the term, and their numbers. */
  windowCount: number
  windows: Uint32Array
  /** By window: start of its pages and chunks in the lists below. The extra last entry is their end. */
  pageStarts: Uint32Array
  chunkStarts: Uint32Array
  /** By window: maximum value of a page, and of a chunk. */
  pageMost: Uint32Array
  chunkMost: Uint16Array
  /** Packed as in packed-impacts.ts. Marked if the term is in the page's title, or in the chunk's own heading. */
  pages: Uint32Array
  chunks: Uint32Array
  /** Score of a value of 1, for a page and for a chunk. The same for all segments of a corpus. */
  pageStep: number
  chunkStep: number
}

/** Field numbers, in the order of `PAGE_FIELDS`. */
const FIELD = { title: 0, headings: 1, anchors: 2, path: 3, text: 4, parts: 5 } as const

/** A segment and its window size. */
export type SearchedSegment = Pick<CorpusPart, 'segment' | 'windowBits'>

/** Decodes and weights a term's postings. Damaged ones yield wrong values, but no more than they have bytes. */
export function makeImpacts(
  searched: SearchedSegment,
  { start, end: to }: Pick<DictionaryEntry, 'start' | 'end'>,
  rarity: TermRarity,
  scoring: Scoring,
  isShared = false,
): TermImpacts {
  const bytes = searched.segment.postings
  const end = Math.min(to, bytes.length)
  const header = readPostingsHeader(bytes, start)
  const sizes = sizesOf(searched, header, end)
  const buffer = isShared ? new SharedArrayBuffer(bufferBytes(sizes)) : new ArrayBuffer(bufferBytes(sizes))
  const impacts = { windowCount: 0, ...viewsOf(buffer, sizes), ...stepsOf(rarity, scoring) }
  new ImpactReader(searched, impacts, rarity, scoring).read(header, end)
  return impacts
}

/** Memory size of impacts in bytes. */
export function impactBytes({ windows, pages, chunks }: TermImpacts): number {
  return OBJECT_BYTES + bufferBytes({ windows: windows.length, pages: pages.length, chunks: chunks.length })
}

/** Overhead of seven typed arrays and their object. */
const OBJECT_BYTES = 900

/** Capacity of the lists. */
type Sizes = { windows: number; pages: number; chunks: number }

function sizesOf(
  { segment: { pageCount, chunkCount }, windowBits }: SearchedSegment,
  { stats, fields }: PostingsHeader,
  end: number,
): Sizes {
  const most = Math.max(0, end - fields)
  const pages = Math.min(stats.pages, pageCount, most)
  const chunks = Math.min(stats.chunks, chunkCount, most)
  return { pages, chunks, windows: Math.min(pages, ((pageCount - 1) >> windowBits) + 1) }
}

/** Bytes of all lists: five by window, two of which have an extra entry, and the impacts. */
function bufferBytes({ windows, pages, chunks }: Sizes): number {
  return 4 * (4 * windows + 2 + pages + chunks) + 2 * windows
}

/** Lays out all lists in one buffer, one after the other. */
function viewsOf(buffer: ArrayBufferLike, { windows, pages, chunks }: Sizes) {
  let at = 0
  const words = (length: number) => {
    const view = new Uint32Array(buffer, at, length)
    at += 4 * length
    return view
  }
  return {
    windows: words(windows),
    pageStarts: words(windows + 1),
    chunkStarts: words(windows + 1),
    pageMost: words(windows),
    pages: words(pages),
    chunks: words(chunks),
    chunkMost: new Uint16Array(buffer, at, windows),
  }
}

/** Quantisation steps that map the maximum scores of a term to the maximum values. */
function stepsOf({ chunkIdf, fields }: TermRarity, { weights: { chunk, page } }: Scoring) {
  const mostPage = fields.reduce((sum, worth) => sum + worth, 0) * (page.k1 + 1 + page.delta)
  return { pageStep: mostPage / MOST_PAGE_VALUE, chunkStep: (chunkIdf * (chunk.k1 + 1)) / MOST_CHUNK_VALUE }
}

/** Fills impacts from postings (postings.ts). */
class ImpactReader {
  readonly #segment: Segment
  readonly #windowBits: number
  readonly #impacts: TermImpacts
  readonly #rarity: TermRarity
  readonly #scoring: Scoring
  #pages = 0
  #chunks = 0

  constructor({ segment, windowBits }: SearchedSegment, impacts: TermImpacts, rarity: TermRarity, scoring: Scoring) {
    this.#segment = segment
    this.#windowBits = windowBits
    this.#impacts = impacts
    this.#rarity = rarity
    this.#scoring = scoring
  }

  /** A long loop with local variables, because it runs once per occurrence. */
  read(header: Pick<PostingsHeader, 'fields' | 'chunks'>, end: number): void {
    const { postings: bytes, chunkPages, chunkLengths, chunkCount, pageChunks } = this.#segment
    const { chunks } = this.#impacts
    const windowBits = this.#windowBits
    // Local copies, because imported constants double the time of this loop.
    const [mostValue, mostPlace] = [MOST_CHUNK_VALUE, WINDOW_CHUNKS]
    const { frequencies, norms, weights } = this.#scoring
    const { chunk: chunkFrequency, text: textFrequency } = frequencies
    const { chunk: chunkNorms, plain } = norms
    const { title: titleWeight } = weights.chunk
    const ofFields = new FieldReader(bytes, header.fields, Math.min(header.chunks, end))
    let found = 0
    let page = -1
    let windowStart = 0
    let fields = 0
    let titleFrequency = 0
    let text = 0
    let parts = 0
    let most = 0
    for (let at = header.chunks, chunk = 0; at < end; chunk++) {
      // Past the end of a damaged segment, bytes are 0.
      let byte = bytes[at++] ?? 0
      let head = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++] ?? 0
        head |= (byte & 127) << shift
      }
      chunk += head >>> 1
      // Only in a damaged segment.
      if (chunk >= chunkCount) break
      const on = chunkPages[chunk]
      if (on !== page) {
        this.#chunks = found
        if (page >= 0) this.#addPage(page, fields, this.#weighPage(page, fields, text, parts), most)
        page = on
        windowStart = pageChunks[(page >> windowBits) << windowBits]
        if (ofFields.page < page) this.#readFieldsBefore(page, ofFields)
        fields = ofFields.page === page ? ofFields.take() : 0
        titleFrequency = titleWeight * TITLE_LEVELS[fields & 3]
        text = parts = most = 0
      }
      const where = head & 1 ? (bytes[at++] ?? 0) : PLAIN
      const length = chunkLengths[chunk]
      let share: number
      if (where === PLAIN && titleFrequency === 0) share = plain[length]
      else {
        const frequency = chunkFrequency[where] + titleFrequency
        share = frequency / (frequency + chunkNorms[length])
      }
      text += textFrequency[where]
      if (where > 127) parts++
      const place = chunk - windowStart
      // Only in a damaged segment.
      if (place >= mostPlace) continue
      const value = Math.max(1, Math.round(share * mostValue))
      if (value > most) most = value
      chunks[found++] = packChunk(place, (where & 0x60) === 0x40, value)
    }
    this.#chunks = found
    if (page >= 0) this.#addPage(page, fields, this.#weighPage(page, fields, text, parts), most)
    this.#readFieldsBefore(NO_PAGE, ofFields)
  }

  /** Adds the pages before `page` that have the term in a field but in no passage. */
  #readFieldsBefore(page: number, ofFields: FieldReader): void {
    for (; ofFields.page < page; ofFields.next()) {
      const { page: other, byte } = ofFields
      this.#addPage(other, byte, this.#weighPage(other, byte, 0, 0), 0)
    }
  }

  #addPage(page: number, fields: number, score: number, chunkMost: number): void {
    const impacts = this.#impacts
    const window = page >> this.#windowBits
    let last = impacts.windowCount - 1
    if (last < 0 || impacts.windows[last] !== window) {
      last = impacts.windowCount++
      impacts.windows[last] = window
    }
    const value = Math.min(MOST_PAGE_VALUE, Math.round(score / impacts.pageStep))
    impacts.pages[this.#pages++] = packPage(page & ((1 << this.#windowBits) - 1), (fields & 3) !== 0, value)
    impacts.pageStarts[last + 1] = this.#pages
    impacts.chunkStarts[last + 1] = this.#chunks
    if (value > impacts.pageMost[last]) impacts.pageMost[last] = value
    if (chunkMost > impacts.chunkMost[last]) impacts.chunkMost[last] = chunkMost
  }

  /** Sum of BM25+ over the page's fields with the term. */
  #weighPage(page: number, fields: number, text: number, parts: number): number {
    let sum = 0
    if (text > 0) sum += this.#field(FIELD.text, page, text)
    const inParts = parts + (fields > 127 ? 1 : 0)
    if (inParts > 0) sum += this.#field(FIELD.parts, page, inParts)
    if (fields === 0) return sum
    const title = TITLE_LEVELS[fields & 3]
    if (title > 0) sum += this.#field(FIELD.title, page, title)
    const headings = HEADINGS_LEVELS[(fields >> 2) & 3]
    if (headings > 0) sum += this.#field(FIELD.headings, page, headings)
    const anchors = ANCHORS_LEVELS[(fields >> 4) & 3]
    if (anchors > 0) sum += this.#field(FIELD.anchors, page, anchors)
    if (fields & 64) sum += this.#field(FIELD.path, page, 1)
    return sum
  }

  /** BM25+ of the term in one field. */
  #field(field: number, page: number, frequency: number): number {
    const { pageLengths, pageCount } = this.#segment
    const { norms, weights } = this.#scoring
    const { k1, delta } = weights.page
    const length = norms.page[field][pageLengths[field * pageCount + page]]
    return this.#rarity.fields[field] * (((k1 + 1) * frequency) / (frequency + length) + delta)
  }
}
