import { anchorChecksum } from './anchor-checksum.ts'
import { ByteWriter } from './byte-writer.ts'
import type { DictionaryEntry } from './dictionary.ts'
import { DictionaryWriter, sortKeys } from './dictionary-writer.ts'
import { FIELD_COUNT, PAGE_FIELDS } from './layout.ts'
import { lengthCode } from './length-code.ts'
import { AnchoredWriter, NewAnchors } from './new-anchors.ts'
import type { Segment } from './open-segment.ts'
import type { WrittenPostings } from './postings-log.ts'
import { visitPostings } from './postings-reader.ts'
import { PostingsWriter } from './postings-writer.ts'
import { SegmentTables } from './segment-tables.ts'

const ANCHORS = PAGE_FIELDS.indexOf('anchors')

/** Decisions of a merge about each page. */
export type MergeChoice = {
  keep: (segment: Segment, page: number) => boolean
  /** New link texts of the page, or null to keep the indexed ones. */
  anchorTexts: (segment: Segment, page: number) => readonly string[] | null
}

/** A segment with the new numbers of its pages, -1 for omitted ones. */
type Mapped = { segment: Segment; pages: Int32Array }

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
  for (const { forms: dictionary } of segments)
    dictionary.walk((form) => {
      forms.add(form)
      return true
    })
  return tables.finish({
    forms: [...forms],
    terms: mergePostings(mapped, anchors, tables.pageChunks()),
  })
}

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
      lengths,
      opening: segment.openings.subarray(segment.openingOffsets[page], segment.openingOffsets[page + 1]),
      anchors: texts === null ? segment.anchorChecksums[page] : anchorChecksum(texts),
    })
  }
  return pages
}

function mergePostings(mapped: readonly Mapped[], anchors: NewAnchors, pageChunks: Uint32Array): WrittenPostings {
  const places = new Map<string, (DictionaryEntry | undefined)[]>()
  for (const [index, { segment }] of mapped.entries())
    segment.terms.walk((term, entry) => {
      const entries = places.get(term)
      if (entries === undefined) places.set(term, sparse(index, entry))
      else entries[index] = entry
      return true
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

function sparse(index: number, entry: DictionaryEntry): (DictionaryEntry | undefined)[] {
  const entries: (DictionaryEntry | undefined)[] = []
  entries[index] = entry
  return entries
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
