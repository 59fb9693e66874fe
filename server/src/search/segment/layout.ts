/**
 * The format of a segment, version 8. Little-endian.
 *
 *     0   4 bytes   magic "DCSG"
 *     4   u32       format version
 *     8   u32       length of the file in bytes
 *     12  u32       number of sections
 *     16  per section: u32 id, u32 offset (a multiple of 8), u32 length in bytes
 *     …   u32       CRC-32 of everything before it
 *     …   sections, padded to multiples of 8
 *
 * A reader creates typed arrays over the sections without parsing them. It skips unknown sections, so a section can be
 * added without a new version. Numbers 28 to 30 belonged to sections of earlier programs. A new version means that known
 * sections or terms changed their meaning, or that all segments should get a new section. Segments in another version
 * are rebuilt (indexing/publish.ts). Searches read those of the version before until then. A new version needs a reader
 * of its predecessor, and a file of that in `test/store/fixtures`.
 *
 * Writers put sections in the order of `GROUPS`, so that a reader can read them one after another.
 *
 * Pages are numbered from 0 in insertion order. Chunks are numbered across the whole segment, page by page.
 */
export const MAGIC = 0x47534344
export const SEGMENT_FORMAT = 8
/** The version before: without `templates`. Searches read it, as if no page had a template. */
export const LAST_FORMAT = 7
export const HEADER_BYTES = 16
export const SECTION_BYTES = 12

export const SECTION = {
  /** f64: `COUNTERS` in order. */
  counters: 1,
  /** Dictionary of terms (dictionary.ts): u32 offset of each block of entries, then the entries. */
  termBlocks: 2,
  terms: 3,
  /** Postings of all terms, in dictionary order (postings.ts). */
  postings: 4,
  /** u32 [pages + 1]: first chunk of each page. */
  pageChunks: 5,
  /** u8 [PAGE_FIELDS × pages], field by field: length codes (field-codes.ts). */
  pageLengths: 6,
  /** u8 [pages]: index into `languages`. */
  pageLanguages: 7,
  /** u32 [pages + 1] offsets into `records`, the display data of pages (page-record.ts). */
  recordOffsets: 8,
  records: 9,
  /** u8 [chunks]: length code of body and code. */
  chunkLengths: 10,
  /** u8 [chunks]: content words in the longest of the chunk's own headings, at most 255; 0 without a heading. */
  chunkHeadingLengths: 11,
  /** u8 [chunks]: index into `codeSets`; 0 for a chunk without code. */
  chunkCode: 12,
  /** u32 [2 × chunks]: 64-bit SimHash of the terms (hashes.ts). */
  fingerprints: 13,
  /** String tables (bytes.ts). `codeSets` holds languages joined with a space. */
  languages: 14,
  codeSets: 15,
  codeLanguages: 16,
  headings: 17,
  urlPrefix: 18,
  /** Dictionary of words in their written form, if it differs from their term. Used for spelling correction. */
  formBlocks: 19,
  forms: 20,
  /**
   * Optional. Vectors of pages in the segment's latent space (vectors/make-vectors.ts): f32 [dimensions] quantisation
   * steps; i8 [dimensions × pages] page vectors of length 1, in steps; f32 [dimensions] singular values; f32 [pages]
   * original length of each page vector, divided by the norm of its row.
   */
  vectorSteps: 21,
  pageVectors: 22,
  singularValues: 23,
  pageFactors: 24,
  /** Present with the vectors: f32 [dimensions] steps, i8 [dimensions × n] of frequent terms, u32 [n] their ids. */
  termSteps: 31,
  termVectors: 32,
  termVectorIds: 33,
  /**
   * Optional. Embeddings of chunks by a configured model (embeddings.ts): u32 dimensions and the
   * model's name; f32 [chunks] scales, 0 for a chunk without embedding; i8 [chunks × dimensions].
   */
  embeddingHead: 25,
  embeddingScales: 26,
  embeddings: 27,
  /** Optional. u32 [chunks + 1] offsets into `marks`; a byte per content word of a chunk, in order (hashes.ts). */
  markOffsets: 35,
  marks: 36,
  /** u32 [pages + 1] offsets into `openings`: two bytes for each of the first content words of a page. */
  openingOffsets: 40,
  openings: 41,
  /** u32 [chunks]: hash of the text without names, 0 for a short one. u8 [chunks]: pages with the same hash. */
  templates: 42,
  templatePages: 43,
  /** u32 [pages]: checksum of the indexed link texts of each page (hashes.ts). */
  anchorChecksums: 34,
  /**
   * Optional. u8 [pages]: index into the string table `versions`: the older version that a page says it is about, or
   * nothing, then the copies with the same text in other versions (`catalogue/page-version.ts`), separated by spaces.
   */
  pageVersions: 44,
  versions: 45,
} as const

/**
 * Sections that come last. The first group is about pages and passages: a search needs it after it has looked up its
 * words. Of the second, it needs what these words have only. All other sections come before.
 */
export const GROUPS: readonly (readonly number[])[] = [
  [
    SECTION.fingerprints,
    SECTION.records,
    SECTION.headings,
    SECTION.pageVectors,
    SECTION.embeddings,
    SECTION.openings,
    SECTION.marks,
  ],
  [SECTION.termVectors, SECTION.postings],
]

export type SectionName = keyof typeof SECTION

/** Fields of a page with separate length normalisation. */
export const PAGE_FIELDS = ['title', 'headings', 'anchors', 'path', 'text', 'parts'] as const
export type PageField = (typeof PAGE_FIELDS)[number]
export const FIELD_COUNT = PAGE_FIELDS.length

/** Counters of a segment. All are sums, so those of several segments can be added. */
export const COUNTERS = ['pages', 'chunks', 'chunkWords', ...PAGE_FIELDS] as const
export type Counters = Record<(typeof COUNTERS)[number], number>
