/**
 * The format of a segment, version 3. Little-endian.
 *
 *     0   4 bytes   magic "DCSG"
 *     4   u32       format version
 *     8   u32       length of the file in bytes
 *     12  u32       number of sections
 *     16  per section: u32 id, u32 offset (a multiple of 8), u32 length in bytes
 *     …   u32       CRC-32 of everything before it
 *     …   sections, padded to multiples of 8
 *
 * A reader makes typed arrays over the sections and parses nothing. Sections it does not know are passed over, so a
 * section may be added without a new version; a new version means that known sections changed their meaning, and that
 * what another wrote is built anew (ingest/publish.ts).
 *
 * Pages are numbered from 0 in the order they were added; chunks are numbered through, page by page.
 */
export const MAGIC = 0x47534344
export const SEGMENT_FORMAT = 3
export const HEADER_BYTES = 16
export const SECTION_BYTES = 12

export const SECTION = {
  /** f64: `COUNTERS` in order. */
  counters: 1,
  /** Dictionary of terms (see dictionary-writer.ts): u32 offset of each block of entries; the entries. */
  termBlocks: 2,
  terms: 3,
  /** Postings of all terms, in the order of the dictionary (see postings-format.ts). */
  postings: 4,
  /** u32 [pages + 1]: first chunk of each page. */
  pageChunks: 5,
  /** u8 [PAGE_FIELDS × pages], field by field: length codes (length-code.ts). */
  pageLengths: 6,
  /** u8 [pages]: index into `languages`. */
  pageLanguages: 7,
  /** u32 [pages + 1] offsets into `records`; what is shown of a page (see page-record.ts). */
  recordOffsets: 8,
  records: 9,
  /** u8 [chunks]: length code of body and code. */
  chunkLengths: 10,
  /** u8 [chunks]: telling words in the longest of the chunk's own headings, at most 255; 0 without a heading. */
  chunkHeadingLengths: 11,
  /** u8 [chunks]: index into `codeSets`; 0 for a chunk without code. */
  chunkCode: 12,
  /** u32 [2 × chunks]: 64-bit SimHash of the terms (simhash.ts). */
  fingerprints: 13,
  /** String tables (see string-table.ts). `codeSets` holds languages joined with a space. */
  languages: 14,
  codeSets: 15,
  codeLanguages: 16,
  headings: 17,
  urlPrefix: 18,
  /** Dictionary of words as they are written, where their term differs: what spelling is repaired against. */
  formBlocks: 19,
  forms: 20,
  /**
   * Optional. Vectors of pages in a latent space of the segment's own (vectors/make-vectors.ts): f32 [dimensions] steps
   * of each dimension; i8 [dimensions × pages] in steps, each page's vector of length 1; f32 [dimensions] singular
   * values; f32 [pages] length of each page's vector before, over the norm of its row.
   */
  vectorSteps: 21,
  pageVectors: 22,
  singularValues: 23,
  pageFactors: 24,
  /** Optional, with the vectors. f32 [dimensions] steps, i8 [dimensions × n] of frequent terms, u32 [n] their numbers. */
  termSteps: 31,
  termVectors: 32,
  termVectorIds: 33,
  /** Optional. Embeddings of chunks by a configured model (embeddings/segment-embeddings.ts): u32 dimensions and the model's
   * name; f32 [chunks] scales, 0 for a chunk that has none; i8 [chunks × dimensions]. */
  embeddingHead: 25,
  embeddingScales: 26,
  embeddings: 27,
  /** Optional. Dictionary and postings of character trigrams, in the form of terms and postings. */
  gramBlocks: 28,
  grams: 29,
  gramPostings: 30,
  /** Optional. u32 [chunks + 1] offsets into `marks`; a byte for each telling word of a chunk, in order (word-mark.ts). */
  markOffsets: 35,
  marks: 36,
  /**
   * Optional. Pages that each page names in its text (mentions/find-mentions.ts): u32 [pages + 1] offsets; u16 numbers of
   * pages; u8 [pages] how telling the name of each is.
   */
  mentionOffsets: 37,
  mentions: 38,
  nameRarity: 39,
  /** u32 [pages]: checksum of the texts of links that the page was indexed with (anchor-checksum.ts). */
  anchorChecksums: 34,
} as const

export type SectionId = (typeof SECTION)[keyof typeof SECTION]

/** Fields of a page that have a length of their own. */
export const PAGE_FIELDS = ['title', 'headings', 'anchors', 'path', 'text', 'parts'] as const
export type PageField = (typeof PAGE_FIELDS)[number]
export const FIELD_COUNT = PAGE_FIELDS.length

/** Counters of a segment, all of them sums, so that those of several segments can be added up. */
export const COUNTERS = ['pages', 'chunks', 'chunkWords', ...PAGE_FIELDS] as const
export type Counters = Record<(typeof COUNTERS)[number], number>
