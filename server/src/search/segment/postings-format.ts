import {
  anchorsCount,
  bodyCount,
  codeCount,
  hasPart,
  headingsCount,
  inPath,
  inTitleParts,
  titleCount,
} from './field-codes.ts'

/**
 * Postings of a term, all integers varints:
 *
 *     header   number of pages; byte of fields with the term (`FIELD_BIT`, `HAS_CHUNKS`, `HAS_FIELDS`); chunks,
 *              if any; for several pages, the number of pages per field; byte length of `fields`, if any
 *     fields   per page with the term in a field other than its chunks: gap; `pageByte`
 *     chunks   per chunk: gap << 1 | has byte; its byte (`chunkByte`) unless it is `PLAIN`
 *
 * A gap is the number of pages skipped, or of chunks skipped in the whole segment. The segment's table maps chunks to
 * pages: postings grouped by page would take twice as many bytes.
 */
export const FIELD_BIT = { title: 1, headings: 2, anchors: 4, path: 8, text: 16, parts: 32 } as const
export const HAS_CHUNKS = 64
export const HAS_FIELDS = 128

/** Bits of the fields set in a page's byte. */
export function pageFieldBits(byte: number): number {
  return (
    (titleCount(byte) > 0 ? FIELD_BIT.title : 0) |
    (headingsCount(byte) > 0 ? FIELD_BIT.headings : 0) |
    (anchorsCount(byte) > 0 ? FIELD_BIT.anchors : 0) |
    (inPath(byte) ? FIELD_BIT.path : 0) |
    (inTitleParts(byte) ? FIELD_BIT.parts : 0)
  )
}

/** Bits of the fields set in a chunk's byte. Headings above the chunk belong to its page. */
export function chunkFieldBits(byte: number): number {
  return (bodyCount(byte) + codeCount(byte) > 0 ? FIELD_BIT.text : 0) | (hasPart(byte) ? FIELD_BIT.parts : 0)
}
