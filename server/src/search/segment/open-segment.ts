import { openEmbeddings } from './embeddings.ts'
import { readSections, SegmentError } from './sections.ts'
import { type Counters, COUNTERS, FIELD_COUNT, LAST_FORMAT, SECTION } from './layout.ts'
import { Dictionary } from './dictionary.ts'
import {
  type ChunkPlace,
  type PassageRecord,
  type OnName,
  readNames,
  readRecordHead,
  readPageRecord,
  readPageUrl,
  createChunkReader,
} from './page-record.ts'
import { openStringTable } from './bytes.ts'
import { firstFrom } from './postings-log.ts'
import { PartialPostings } from './partial-postings.ts'
import { zstdDecompressSync } from 'node:zlib'
import type { ByteCache } from '../byte-cache.ts'

/** An open segment: typed arrays over its bytes. See layout.ts for their contents. */
export type Segment = ReturnType<typeof viewSections>

/** Vectors of pages and of frequent terms in a latent space (see layout.ts). */
export type SegmentVectors = NonNullable<Segment['vectors']>

/**
 * Opens a segment without parsing it. The bytes must not change afterwards. They are copied only if they do not start
 * at a multiple of 8 in their buffer. Throws `SegmentError` for a damaged segment, or its subclass `SegmentFormatError`
 * for another format. The sections of `GROUPS` (layout.ts) are not read yet.
 */
export function openSegment(bytes: Uint8Array): Segment {
  return viewSections(readSections(bytes), bytes.byteLength)
}

function viewSections(sections: ReadonlyMap<number, Uint8Array>, byteLength: number) {
  const section = (id: number): Uint8Array => sections.get(id) ?? new Uint8Array(0)
  const words = (id: number): Uint32Array => asWords(section(id))
  const counters = readCounters(section(SECTION.counters))
  const records = section(SECTION.records)
  const recordOffsets = words(SECTION.recordOffsets)
  const tables = {
    headings: openStringTable(section(SECTION.headings)),
    codeLanguages: openStringTable(section(SECTION.codeLanguages)),
    urlPrefix: openStringTable(section(SECTION.urlPrefix))(1),
  }
  const pageChunks = words(SECTION.pageChunks)
  const [pageVersions, versions] = [section(SECTION.pageVersions), openStringTable(section(SECTION.versions))]
  const chunkPages = pagesOfChunks(pageChunks, section(SECTION.chunkLengths).length)
  const recordAt = (page: number) => recordOffsets[page] ?? records.length
  const chunks = createChunkReader(records, recordAt, tables)
  const segment = {
    byteLength: byteLength + chunkPages.byteLength,
    /** Null when all postings are there. */
    partial: null as PartialPostings | null,
    counters,
    pageCount: counters.pages,
    chunkCount: counters.chunks,
    terms: new Dictionary(words(SECTION.termBlocks), section(SECTION.terms)),
    postings: section(SECTION.postings),
    forms: new Dictionary(words(SECTION.formBlocks), section(SECTION.forms)),
    pageChunks,
    /** [chunks]: page of each chunk. The only table that is computed on opening. */
    chunkPages,
    pageLengths: section(SECTION.pageLengths),
    pageLanguages: section(SECTION.pageLanguages),
    /** Empty in segments older than this section. */
    anchorChecksums: words(SECTION.anchorChecksums),
    chunkLengths: section(SECTION.chunkLengths),
    chunkHeadingLengths: section(SECTION.chunkHeadingLengths),
    chunkCode: section(SECTION.chunkCode),
    fingerprints: words(SECTION.fingerprints),
    /** Empty in a segment built without marks. */
    markOffsets: words(SECTION.markOffsets),
    marks: section(SECTION.marks),
    openingOffsets: words(SECTION.openingOffsets),
    openings: asShorts(section(SECTION.openings)),
    templates: sections.has(SECTION.templates) ? words(SECTION.templates) : new Uint32Array(counters.chunks),
    /** [chunks]: pages of the segment with the same text but other names, at most 255. */
    templatePages: sections.get(SECTION.templatePages) ?? new Uint8Array(counters.chunks),
    /** Null if the segment has none. So are vectors. */
    embeddings: openEmbeddings(section, counters.chunks),
    vectors: openVectors(section, counters.pages),
    language: openStringTable(section(SECTION.languages)),
    /** The older version that a page says it is about, or null. Segments of earlier programs tell none. */
    toldVersion: (page: number) => versions(pageVersions[page] ?? 0).split(' ', 1)[0] || null,
    /** Other versions in which the same page has the same text, and where their addresses differ. */
    copies: (page: number) =>
      versions(pageVersions[page] ?? 0)
        .split(' ')
        .slice(1),
    /** Languages of a chunk's code, joined with a space, by the number in `chunkCode`. */
    codeSet: openStringTable(section(SECTION.codeSets)),
    record: (page: number) => readPageRecord(records, recordAt(page), tables),
    /** Display data of a page without its chunks. */
    head: (page: number) => readRecordHead(records, recordAt(page), tables),
    /** Where a chunk is in the text of its page. Chunks are numbered within the segment, here and below. */
    span: (page: number, chunk: number) => chunks.span(page, chunk - pageChunks[page]),
    /** Where a chunk is on its page. */
    place: (page: number, chunk: number) => chunks.place(page, chunk - pageChunks[page]),
    chunk: (page: number, chunk: number, place: ChunkPlace) => chunks.chunk(page, chunk - pageChunks[page], place),
    /** Display data of one chunk. */
    passage: (page: number, chunk: number): PassageRecord => ({
      ...segment.head(page),
      chunk: segment.chunk(page, chunk, segment.place(page, chunk)),
    }),
    names: (page: number, onName: OnName) => readNames(records, recordAt(page), tables, onName),
    url: (page: number) => readPageUrl(records, recordAt(page), tables.urlPrefix),
  }
  checkSizes(segment, recordOffsets.length)
  return segment
}

function pagesOfChunks(pageChunks: Uint32Array, chunks: number): Uint32Array {
  const pages = new Uint32Array(chunks)
  const last = pageChunks.length - 2
  for (let chunk = 0, page = 0; chunk < chunks; chunk++) {
    while (page < last && pageChunks[page + 1] <= chunk) page++
    pages[chunk] = page
  }
  return pages
}

function readCounters(bytes: Uint8Array): Counters {
  if (bytes.byteLength < COUNTERS.length * 8) throw new SegmentError('The segment has no counters.')
  const values = new Float64Array(bytes.buffer, bytes.byteOffset, COUNTERS.length)
  // Sets every name of COUNTERS.
  return Object.fromEntries(COUNTERS.map((name, index) => [name, values[index]])) as Counters
}

function openVectors(section: (id: number) => Uint8Array, pages: number) {
  const floats = (id: number) => {
    const { buffer, byteOffset, byteLength } = section(id)
    return new Float32Array(buffer, byteOffset, byteLength >> 2)
  }
  const signed = (id: number) => {
    const { buffer, byteOffset, byteLength } = section(id)
    return new Int8Array(buffer, byteOffset, byteLength)
  }
  const pageSteps = floats(SECTION.vectorSteps)
  const dimensions = pageSteps.length
  if (dimensions === 0) return null
  const vectors = {
    dimensions,
    pageSteps,
    pages: signed(SECTION.pageVectors),
    singularValues: floats(SECTION.singularValues),
    pageFactors: floats(SECTION.pageFactors),
    termSteps: floats(SECTION.termSteps),
    terms: signed(SECTION.termVectors),
    termIds: asWords(section(SECTION.termVectorIds)),
  }
  const fits =
    vectors.pages.length === dimensions * pages &&
    vectors.singularValues.length === dimensions &&
    vectors.pageFactors.length === pages &&
    vectors.termSteps.length === dimensions &&
    vectors.terms.length === dimensions * vectors.termIds.length
  if (!fits) throw new SegmentError('The vectors of the segment do not fit together.')
  return vectors
}

function asWords(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

function asShorts(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1)
}

/** Rejects tables shorter than the counters: they would yield NaN scores. */
function checkSizes(segment: Segment, recordOffsets: number): void {
  const { pageCount: pages, chunkCount: chunks } = segment
  const fits =
    segment.pageChunks.length === pages + 1 &&
    recordOffsets === pages + 1 &&
    segment.pageChunks[pages] === chunks &&
    segment.pageLengths.length === pages * FIELD_COUNT &&
    segment.pageLanguages.length === pages &&
    segment.fingerprints.length === chunks * 2 &&
    segment.templates.length === chunks &&
    segment.templatePages.length === chunks &&
    segment.openingOffsets.length === pages + 1 &&
    segment.openingOffsets[pages] === segment.openings.length &&
    (segment.markOffsets.length === 0 || segment.markOffsets.length === chunks + 1) &&
    [segment.chunkLengths, segment.chunkHeadingLengths, segment.chunkCode].every(({ length }) => length === chunks)
  if (!fits || !segment.pageChunks.every((first, page, all) => first <= (all[page + 1] ?? first)))
    throw new SegmentError('The tables of the segment do not fit together.')
}

/** Loads the bytes of a segment, or null if it is gone. */
export type LoadSegment = (id: string) => Promise<Uint8Array | null>

export type LoadInParts = {
  /** Bytes of a segment. Unless they are whole, those of `GROUPS` (layout.ts) are not there yet. Null if it is gone. */
  open(id: string): Promise<{ bytes: Uint8Array; isWhole: boolean } | null>
  /** Waits for the postings of some terms, and all that is not by term. Without terms, waits for all. False if it is gone. */
  read(id: string, ranges: ByteRanges | null): Promise<boolean>
}

/** Loads segments whole. */
export const loadWhole = (load: LoadSegment): LoadInParts => ({
  async open(id) {
    const bytes = await load(id)
    return bytes && { bytes, isWhole: true }
  },
  read: async () => true,
})

/** Start and end of each range in the bytes of a segment. */
export type ByteRanges = readonly (readonly [start: number, end: number])[]

/**
 * The segment with this id, or null if it is gone. With `isPartial`, its postings may be `partial`. Rejects with
 * `SegmentError` if it is damaged, with `SegmentFormatError` for another format, and with the loader's errors.
 */
export async function cachedSegment(
  cache: ByteCache<Segment>,
  id: string,
  load: LoadInParts,
  isPartial = false,
): Promise<Segment | null> {
  const segment = await cache.getOrLoad(id, async () => {
    const opened = await load.open(id)
    if (opened === null) return null
    const value = viewSections(readSections(opened.bytes, LAST_FORMAT), opened.bytes.byteLength)
    if (!opened.isWhole) value.partial = new PartialPostings(id)
    return { value, bytes: value.byteLength }
  })
  if (segment === null || segment.partial === null || isPartial) return segment
  if (!(await load.read(id, null))) return null
  segment.partial = null
  return segment
}

/** Reads what a partial segment misses. False if it is gone. */
export async function readMissing({ partial, postings, vectors }: Segment, load: LoadInParts): Promise<boolean> {
  if (partial === null || partial.isReady) return true
  const missing = partial.takeMissing()
  // The bytes of a partial segment are a whole buffer.
  const ranges = missing.flatMap(({ id, start, end }): ByteRanges => {
    const range = [postings.byteOffset + start, postings.byteOffset + end] as const
    const row = vectors === null ? 0 : firstFrom(vectors.termIds, id)
    if (vectors?.termIds[row] !== id) return [range]
    const vector = vectors.terms.byteOffset + row * vectors.dimensions
    return [range, [vector, vector + vectors.dimensions]]
  })
  if (!(await load.read(partial.id, ranges))) return false
  partial.add(missing)
  return true
}

/** Loads compressed Markdown by hash. Missing texts are absent. */
export type LoadTexts = (sourceId: string, hashes: string[]) => Promise<Map<string, Uint8Array>>

export type WantedText = { sourceId: string; textHash: string }

/** Initial output buffer relative to the compressed size. Fits most texts; larger ones grow it. */
const RATIO = 6
const LEAST_OUTPUT = 4_096

/** Markdown of pages by hash, without missing texts. A page that answers a question often answers the next. */
export async function cachedTexts(
  cache: ByteCache<string>,
  wanted: readonly WantedText[],
  load: LoadTexts,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const missing = new Map<string, Set<string>>()
  for (const { sourceId, textHash } of wanted) {
    const text = cache.get(`${sourceId}/${textHash}`)
    if (text !== undefined) found.set(textHash, text)
    else missing.set(sourceId, (missing.get(sourceId) ?? new Set()).add(textHash))
  }
  for (const [sourceId, hashes] of missing)
    for (const [hash, compressed] of await load(sourceId, [...hashes])) {
      const bytes = zstdDecompressSync(compressed, { chunkSize: Math.max(LEAST_OUTPUT, RATIO * compressed.byteLength) })
      const text = bytes.toString()
      // An ASCII string takes one byte per character. Others count two.
      cache.set(`${sourceId}/${hash}`, text, text.length === bytes.length ? text.length : text.length * 2)
      found.set(hash, text)
    }
  return found
}
