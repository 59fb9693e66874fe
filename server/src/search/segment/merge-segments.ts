import { ByteWriter } from './byte-writer.ts'
import type { DictionaryEntry } from './dictionary.ts'
import { DictionaryWriter, sortKeys } from './dictionary-writer.ts'
import { FIELD_COUNT } from './layout.ts'
import type { Segment } from './open-segment.ts'
import type { WrittenPostings } from './postings-log.ts'
import { visitPostings } from './postings-reader.ts'
import { type ChunkTable, PostingsWriter } from './postings-writer.ts'
import { SegmentTables } from './segment-tables.ts'

/** A segment with the numbers its pages have in the merged one; -1 for those that are left out. */
type Mapped = { segment: Segment; pages: Int32Array }

/**
 * One segment of several, without the pages that `keepPage` refuses. Nothing is analysed again: what comes out is what
 * building the same pages in the same order would give, except for spellings of words that are gone.
 */
export function mergeSegments(
  segments: readonly Segment[],
  keepPage: (segment: Segment, page: number) => boolean,
): Uint8Array<ArrayBuffer> {
  const tables = new SegmentTables()
  const mapped = segments.map((segment) => ({ segment, pages: copyPages(tables, segment, keepPage) }))
  const forms = new Set<string>()
  for (const { forms: dictionary } of segments)
    dictionary.walk((form) => {
      forms.add(form)
      return true
    })
  return tables.finish({
    forms: [...forms],
    terms: mergePostings(mapped, tables.chunkTable()),
  })
}

function copyPages(
  tables: SegmentTables,
  segment: Segment,
  keepPage: (segment: Segment, page: number) => boolean,
): Int32Array {
  const pages = new Int32Array(segment.pageCount).fill(-1)
  for (let page = 0; page < segment.pageCount; page++) {
    if (!keepPage(segment, page)) continue
    pages[page] = tables.pageCount
    for (let chunk = segment.pageChunks[page] ?? 0; chunk < (segment.pageChunks[page + 1] ?? 0); chunk++)
      tables.addChunk({
        length: segment.chunkLengths[chunk] ?? 0,
        headingWords: segment.chunkHeadingLengths[chunk] ?? 0,
        codeSet: segment.codeSet(segment.chunkCode[chunk] ?? 0),
        low: segment.fingerprints[chunk * 2] ?? 0,
        high: segment.fingerprints[chunk * 2 + 1] ?? 0,
      })
    tables.addPage(segment.record(page), {
      language: segment.language(segment.pageLanguages[page] ?? 0) || null,
      lengths: Array.from(
        { length: FIELD_COUNT },
        (_, field) => segment.pageLengths[field * segment.pageCount + page] ?? 0,
      ),
    })
  }
  return pages
}

function mergePostings(mapped: readonly Mapped[], table: ChunkTable): WrittenPostings {
  const places = new Map<string, (DictionaryEntry | undefined)[]>()
  for (const [index, { segment }] of mapped.entries())
    segment.terms.walk((term, entry) => {
      const entries = places.get(term)
      if (entries === undefined) places.set(term, sparse(index, entry))
      else entries[index] = entry
      return true
    })
  const dictionary = new DictionaryWriter()
  const writer = new PostingsWriter(table)
  const out = new ByteWriter(1 << 16)
  for (const term of sortKeys([...places.keys()])) {
    for (const [index, entry] of (places.get(term) ?? []).entries()) {
      const from = mapped[index]
      if (entry === undefined || from === undefined) continue
      copyPostings(writer, from.pages, from.segment.postings, entry)
    }
    const length = writer.finish(out)
    if (length > 0) dictionary.add(term, length)
  }
  return { ...dictionary.finish(), postings: out.view() }
}

function sparse(index: number, entry: DictionaryEntry): (DictionaryEntry | undefined)[] {
  const entries: (DictionaryEntry | undefined)[] = []
  entries[index] = entry
  return entries
}

function copyPostings(
  writer: PostingsWriter,
  pages: Int32Array,
  postings: Uint8Array,
  { start, end }: DictionaryEntry,
): void {
  let kept = false
  visitPostings(postings, start, end, {
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
