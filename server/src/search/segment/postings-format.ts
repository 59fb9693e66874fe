import { anchorsCount, headingsCount, inPath, inTitleParts, titleCount } from './field-codes.ts'

/**
 * Postings of a term, all integers varints:
 *
 *     header   (pages << 1 | windowed), byte of fields it occurs in (`FIELD_BIT`, and `HAS_CHUNKS`),
 *              chunks if it has any, and if it is on more than one page, the number of pages of each such field
 *     entries  per page: gap << 2 | has fields << 1 | has chunks; the byte of fields (`pageByte`) if it has them;
 *              per chunk: gap << 2 | last of the page << 1 | plain; its byte (`chunkByte`) unless it is plain
 *
 * A gap is the number of pages, or chunks of the page, that were passed over. Terms on `WINDOWED_FROM` pages or more
 * have their entries in windows of 2^`WINDOW_BITS` pages, each led by windows passed over, the fields in it, the
 * greatest level of each part of a chunk's byte, the code of the shortest chunk, and its length in bytes: enough to
 * bound what a window can score and to pass over it.
 */
export const WINDOW_BITS = 6

/** Rare terms score high wherever they occur, so bounds would spare nothing. */
export const WINDOWED_FROM = 24

export const FIELD_BIT = { title: 1, headings: 2, anchors: 4, path: 8, text: 16, parts: 32 } as const
export const HAS_CHUNKS = 64

/** Fields that a page's byte stands for. */
export function pageFieldBits(byte: number): number {
  return (
    (titleCount(byte) > 0 ? FIELD_BIT.title : 0) |
    (headingsCount(byte) > 0 ? FIELD_BIT.headings : 0) |
    (anchorsCount(byte) > 0 ? FIELD_BIT.anchors : 0) |
    (inPath(byte) ? FIELD_BIT.path : 0) |
    (inTitleParts(byte) ? FIELD_BIT.parts : 0)
  )
}

/** A chunk's byte with each of its parts at the greater of two bytes. */
export function maxChunkByte(a: number, b: number): number {
  return (
    Math.max(a & 7, b & 7) | Math.max(a & 0x18, b & 0x18) | Math.max(a & 0x60, b & 0x60) | Math.max(a & 0x80, b & 0x80)
  )
}
