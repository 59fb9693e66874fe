/**
 * Frequencies of a term in a chunk, in one byte: body 3 bits, code 2, headings 2 (0 none, 1 in a heading above, 2 in
 * the chunk's own), 1 for "part of an identifier". High frequencies hardly change a saturating function, and with one
 * byte the weights of a query fit in a table of 256 numbers.
 */
export const BODY_LEVELS = [0, 1, 2, 3, 4, 6, 9, 14] as const
export const CODE_LEVELS = [0, 1, 2, 5] as const

/** Byte of a term that occurs once in the body and nowhere else: by far the most frequent one. */
export const PLAIN = 1

/** Bits of body and code in a chunk's byte, and of parts. */
export const CHUNK_BITS = { text: 31, parts: 128 } as const

export function chunkByte(body: number, code: number, heading: number, part: boolean): number {
  return level(BODY_LEVELS, body) | (level(CODE_LEVELS, code) << 3) | (heading << 5) | (part ? 128 : 0)
}

export const bodyCount = (byte: number): number => BODY_LEVELS[byte & 7]
export const codeCount = (byte: number): number => CODE_LEVELS[(byte >> 3) & 3]
export const headingLevel = (byte: number): number => (byte >> 5) & 3

/**
 * Frequencies of a term in the fields of a page, in one byte: title 2 bits, headings 2, anchors 2, path 1, and 1 for
 * "part of an identifier in the title or in a heading". The body of a page is the sum of its chunks.
 */
export const TITLE_LEVELS = [0, 1, 2, 3] as const
export const HEADINGS_LEVELS = [0, 1, 2, 4] as const
export const ANCHORS_LEVELS = [0, 1, 3, 8] as const

/** Bits of each field in a page's byte. */
export const PAGE_BITS = { title: 3, headings: 12, anchors: 48, path: 64, parts: 128 } as const

export function pageByte(title: number, headings: number, anchors: number, path: boolean, part: boolean): number {
  return (
    level(TITLE_LEVELS, title) |
    (level(HEADINGS_LEVELS, headings) << 2) |
    (level(ANCHORS_LEVELS, anchors) << 4) |
    (path ? 64 : 0) |
    (part ? 128 : 0)
  )
}

export const titleCount = (byte: number): number => TITLE_LEVELS[byte & 3]
export const headingsCount = (byte: number): number => HEADINGS_LEVELS[(byte >> 2) & 3]

/** The highest level up to the count. */
function level(levels: readonly number[], count: number): number {
  let at = levels.length - 1
  while (at > 0 && levels[at] > count) at--
  return at
}

/** Field lengths in one byte: exact below 32, then sixteen steps per doubling, up to half a million words. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < 32 ? code : Math.round(32 * 2 ** ((code - 32) / 16)),
)

export function lengthCode(length: number): number {
  if (length < 32) return Math.max(0, Math.floor(length))
  return Math.min(255, 32 + Math.round(16 * Math.log2(length / 32)))
}
